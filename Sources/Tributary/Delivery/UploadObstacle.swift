public import Foundation

/// Why events are not being uploaded right now.
///
/// `DeliveryState.obstacle` has the client's answer. `UploadConditions` of an app make obstacles of their own.
///
/// ```swift
/// if let obstacle = analytics.deliveryState.obstacle { print(obstacle.kind, obstacle) }
/// ```
public struct UploadObstacle: Sendable, Equatable, CustomStringConvertible {
    /// The kinds of obstacles. An app should expect kinds that it does not know.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind.
        public let description: String

        /// Nothing is due: a flush policy decides when.
        public static let nothingDue = Kind(description: "nothingDue")
        /// The client has not begun: it waits for settings, or for a plugin that asked for time.
        public static let starting = Kind(description: "starting")
        /// The settings switched collection off.
        public static let switchedOff = Kind(description: "switchedOff")
        /// Events wait until the user has decided about consent.
        public static let consent = Kind(description: "consent")
        /// Plugins still have the events.
        public static let processing = Kind(description: "processing")
        /// The device's storage cannot be read now.
        public static let storage = Kind(description: "storage")
        /// The app's `UploadConditions` say so.
        public static let conditions = Kind(description: "conditions")
        /// The inspector in the app (`TributaryInspector`) holds delivery, until it lets go or the app starts again.
        public static let held = Kind(description: "held")
        /// The server refused, asked for a pause or could not be reached; the client tries again by itself.
        public static let failure = Kind(description: "failure")
        /// The client has ended.
        public static let ended = Kind(description: "ended")
    }

    /// The kind of the obstacle.
    public let kind: Kind
    /// The obstacle as a sentence for people. Its words may change with any release.
    public let text: String
    /// Seconds after which the client tries in spite of the obstacle; nil waits until the obstacle is gone. For
    /// obstacles that are likely but not certain, such as a system's report that there is no network.
    public let retryAfter: TimeInterval?

    /// An obstacle for the app's `UploadConditions`. It holds until it is gone, or for `retryAfter` seconds.
    public init(_ text: String, retryAfter: TimeInterval? = nil) {
        (kind, self.text, self.retryAfter) = (.conditions, text, retryAfter)
    }

    init(_ kind: Kind, _ text: String) {
        (self.kind, self.text, retryAfter) = (kind, text, nil)
    }

    /// The text.
    public var description: String { text }
}
