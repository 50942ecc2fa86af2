import WorkspaceCore

/// Sends events to a destination.
protocol DestinationConnection: Sendable {
    /// The largest number of requests at the same time.
    var parallelRequests: Int { get }

    /// Sends one event and returns the result. Called for several events at once; a cancelled task ends early.
    func send(_ event: ForwardedEvent) async -> ForwardingAnswer

    /// Does the other work of the destination beside the deliveries. Begins with them, and ends at once when it is cancelled.
    func accompany() async

    /// Shows an operator whether the destination takes events, by one that was made up for this.
    func test(_ event: ForwardedEvent) async -> ForwardingAnswer
}

extension DestinationConnection {
    func accompany() async {}

    func test(_ event: ForwardedEvent) async -> ForwardingAnswer { await send(event) }
}

/// How a destination answered to an event.
package enum ForwardingAnswer: Sendable, Equatable {
    /// The destination has the event.
    case accepted(String)
    /// The destination will never accept this event.
    case refused(String)
    /// The destination did not accept the event now. The event may be at fault, or the destination.
    case failed(String)
    /// The destination accepts nothing at present, and for this many milliseconds when it named a time.
    case unavailable(String, retryAfter: Int64? = nil)

    /// The text of the answer, for people.
    var text: String {
        switch self {
        case .accepted(let text), .refused(let text), .failed(let text), .unavailable(let text, _): text
        }
    }
}
