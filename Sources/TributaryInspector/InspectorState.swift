public import Foundation
public import Tributary

/// The events, signals and diagnostics that a `ClientInspector` has recorded, and what its client does now.
///
/// It is a value: it does not change when the client goes on.
///
/// ```swift
/// let state = ClientInspector(analytics).state
/// print(state.client?.delivery.obstacle?.text ?? "nothing holds up delivery")
/// print(state.text)
/// ```
public struct InspectorState: Sendable {
    /// The state of a client, and of the events that wait in it.
    public struct Client: Sendable, Equatable {
        /// The live plugins of a client.
        public enum LivePlugins: Sendable, Equatable {
            /// No bundle of live plugins processes events.
            case none
            /// A script that came with the app processes events.
            case ofApp
            /// A bundle that the workspace deployed processes events.
            case deployed(version: Int)
        }

        /// The decision of the user about consent.
        public internal(set) var consent: ConsentState
        /// The purposes that the user allowed or refused, by name.
        public internal(set) var consentCategories: [String: Bool]
        /// Whether the app lets the client collect; see `Analytics.enabled`.
        public internal(set) var isEnabled: Bool
        /// The anonymous id of the installation.
        public internal(set) var anonymousId: String
        /// The id of the user; nil before the first `identify`.
        public internal(set) var userId: String?
        /// The event queues, and whether their events survive the end of the process.
        public internal(set) var storage: StorageState
        /// The time of the event that the client would send first; nil when none waits, or when the event cannot be read.
        public internal(set) var oldestWaiting: Date?
        /// The present work of delivery, and its obstacle.
        public internal(set) var delivery: DeliveryState
        /// Whether delivery is held; see `ClientInspector.holdsDelivery`.
        public internal(set) var holdsDelivery: Bool
        /// Where the events went since the client was made.
        public internal(set) var counters: EventCounters
        /// The live plugins that process events.
        public internal(set) var livePlugins: LivePlugins
        /// The page of the workspace with the events of this device. Nil when the client sends to another service, or to an address
        /// that is not `http` or `https`.
        public internal(set) var workspacePage: URL?
    }

    /// The recording.
    public let log: InspectorLog
    /// The state of the client; nil when the client is gone, or when the inspector is off.
    public let client: Client?
    /// Whether the inspector records; see `ClientInspector.isOn`.
    public let isOn: Bool

    /// The state as plain text with one fact on each line: first the client, then its events, signals and diagnostics, the newest
    /// first. For people; its words may change with any release.
    public var text: String { InspectorText.lines(self).joined(separator: "\n") }
}
