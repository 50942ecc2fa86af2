public import Foundation

/// Knows whether events may be sent now. While they may not, they wait on the device.
///
/// May be asked from any thread, and often: an answer should cost next to nothing.
public protocol UploadConditions: Sendable {
    /// What stands in the way of sending; nil when nothing does.
    var obstacle: UploadObstacle? { get }
    /// Takes a function to call each time that the answer may be another one, from any thread. Called once for each place
    /// where events wait.
    func observe(_ changed: @escaping @Sendable () -> Void)
}

/// What stands in the way of sending events.
public struct UploadObstacle: Sendable, Equatable {
    /// The obstacle as a sentence, for `DeliveryState.reason`.
    public var reason: String
    /// Seconds after which it is tried all the same; nil keeps to the obstacle until it is gone. For what is likely and
    /// not certain, such as a system's view of the network.
    public var retryAfter: TimeInterval?

    /// An obstacle; unless told otherwise it holds until it is gone.
    public init(_ reason: String, retryAfter: TimeInterval? = nil) {
        self.reason = reason
        self.retryAfter = retryAfter
    }
}
