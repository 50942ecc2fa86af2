import WorkspaceCore

/// An event that a destination has not accepted yet, or never will.
package struct Undelivered: Sendable, Equatable {
    let sequence: Int64
    let messageId: String
    let partition: ForwardedEvent.Partition
    var attempts = 0
    /// The time of the first attempt; nil while the event only waits behind another one of its partition.
    var since: Int64?
    /// When it may be tried again.
    var dueAt: Int64 = 0
    var reason: String?
    /// When the event was given up; nil while it is tried.
    var deadAt: Int64?

    /// The event as one that is to be tried again from the beginning.
    var again: Undelivered {
        Undelivered(sequence: sequence, messageId: messageId, partition: partition, reason: reason)
    }
}
