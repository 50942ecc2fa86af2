public import Foundation

/// The present state of delivery, and the reason when nothing is sent.
///
/// ```swift
/// let state = analytics.deliveryState
/// if case .paused(let until) = state.activity {
///     print("\(state.waiting) events wait until \(until): \(state.obstacle?.text ?? "")")
/// }
/// ```
public struct DeliveryState: Sendable, Equatable {
    /// The current work of delivery.
    public enum Activity: Sendable, Equatable {
        /// The client has not begun: it waits for settings or for a plugin.
        case waiting
        /// Nothing is due.
        case idle
        /// A request is under way.
        case sending
        /// Nothing is sent before that time, after failures or because the server asked for a pause.
        case paused(until: Date)
        /// The client has ended.
        case stopped
    }

    /// The current work of delivery.
    public internal(set) var activity: Activity
    /// Why nothing is being sent; nil while a request is under way.
    public internal(set) var obstacle: UploadObstacle?
    /// Requests without success in a row.
    public internal(set) var failures = 0
    /// Events that were tracked and are not yet confirmed, dropped or put aside. Events that wait for consent count.
    public internal(set) var waiting = 0
    /// Events that the server refused for good and that the device keeps; see `Analytics.deadLetters(limit:)`.
    public internal(set) var deadLetters = 0

    /// The reason why nothing is sent, or a text about the request under way.
    var reasonOrProgress: String {
        obstacle?.text ?? (failures == 0 ? "it is being sent" : "it is being sent again, after failures: \(failures)")
    }
}
