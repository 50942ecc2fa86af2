public import Foundation

/// The failure that an event survives after its call has returned.
public enum Durability: Sendable, Equatable {
    /// The end of the process. The system writes the event to the medium on its own, usually within half a minute.
    case process
    /// A power cut that comes at least this many seconds later. Calls do not wait; a thread of the client writes events
    /// to the medium. The minimum is 0.1 s.
    case interval(TimeInterval)
    /// A power cut. Every call waits for the medium, usually a few milliseconds; calls on several threads share a wait.
    case powerLoss
}
