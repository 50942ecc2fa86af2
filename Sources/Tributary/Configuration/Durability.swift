public import Foundation

/// The durability of an event once the call that tracked it has returned. It survives the end of the process in any
/// case.
public enum Durability: Sendable, Equatable {
    /// The end of the process. The system brings the event to the medium when it likes, within about half a minute.
    case process
    /// The power going out, that many seconds later. Calls do not wait; a thread of the client's brings events to the
    /// medium. At least a tenth of a second.
    case interval(TimeInterval)
    /// The power going out. Every call waits for the medium, a few milliseconds as a rule; calls at the same time on
    /// several threads wait together.
    case powerLoss
}
