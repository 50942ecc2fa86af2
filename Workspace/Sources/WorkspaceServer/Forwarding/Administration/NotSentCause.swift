/// Why a destination has not got an event, for programs: the page leads with it to what a person can change.
enum NotSentCause: Sendable, Equatable {
    /// A filter rule of this name drops the event.
    case filter(String)
    /// The user has not allowed what the destination needs, or has said nothing.
    case consent
    /// The `integrations` of the event exclude the destination.
    case integrations
    /// The device has sent the event there itself.
    case device
    /// The destination refused the event for good, so the event is a dead letter.
    case refused
    /// The receiver did not take the event, which is tried again, or the event waits behind such a one.
    case receiver
    /// The event was not tried yet.
    case queue
    /// The destination is paused.
    case paused
    /// The event came before the destination was made.
    case age
    /// The stored event cannot be read, or is not there any more.
    case unreadable

    init(_ reason: LeftOut) {
        switch reason {
        case .filtered(let rule): self = .filter(rule)
        case .refused, .unsaid, .held: self = .consent
        case .notNamed: self = .integrations
        case .sentByDevice: self = .device
        case .unreadable, .gone: self = .unreadable
        }
    }

    /// The name in an answer.
    var name: String {
        switch self {
        case .filter: "filter"
        case .consent: "consent"
        case .integrations: "integrations"
        case .device: "device"
        case .refused: "refused"
        case .receiver: "receiver"
        case .queue: "queue"
        case .paused: "paused"
        case .age: "age"
        case .unreadable: "unreadable"
        }
    }

    /// The name of the filter rule; nil for another cause.
    var rule: String? {
        guard case .filter(let rule) = self else { return nil }
        return rule
    }
}
