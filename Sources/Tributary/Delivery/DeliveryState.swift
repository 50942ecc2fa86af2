public import Foundation

/// The present state of delivery, and its reason.
public struct DeliveryState: Sendable, Equatable {
    /// What is being done.
    public enum Activity: Sendable, Equatable {
        /// The client has not begun: settings or a plugin are waited for.
        case waiting
        /// Nothing is to be sent, or not yet.
        case idle
        /// A request is under way.
        case sending
        /// Nothing is sent before that time, because of failures or because the server asked for it.
        case paused(until: Date)
        /// The client has ended.
        case stopped
    }

    /// What is being done.
    public internal(set) var activity: Activity
    /// Why nothing is being sent; nil while something is.
    public internal(set) var obstacle: UploadObstacle?
    /// Requests without success in a row.
    public internal(set) var failures = 0
    /// Events that were tracked and not yet confirmed, dropped or put aside.
    public internal(set) var waiting = 0
    /// Events that the server refused for good and that are kept on the device; see `Analytics.deadLetters(limit:)`.
    public internal(set) var deadLetters = 0

    /// Why nothing is being sent, or that it is.
    var reasonOrProgress: String {
        obstacle?.text ?? (failures == 0 ? "it is being sent" : "it is being sent again, after failures: \(failures)")
    }
}
