/// The way to a destination.
protocol DestinationConnection: Sendable {
    /// Requests that may be under way at once.
    var parallelRequests: Int { get }

    /// Sends one event and tells what became of it. Called for several events at once; a cancelled task ends early.
    func send(_ event: ForwardedEvent) async -> ForwardingAnswer
}

/// What a destination made of an event.
enum ForwardingAnswer: Sendable, Equatable {
    /// It has it.
    case accepted(String)
    /// It will never take this event.
    case refused(String)
    /// It did not take it now, and nobody knows whether the event is at fault or the destination.
    case failed(String)
    /// It takes nothing now, and for as many milliseconds when it said so.
    case unavailable(String, retryAfter: Int64? = nil)

    /// What it said, for people.
    var text: String {
        switch self {
        case .accepted(let text), .refused(let text), .failed(let text), .unavailable(let text, _): text
        }
    }
}
