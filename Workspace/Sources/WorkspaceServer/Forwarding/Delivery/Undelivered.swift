/// An event that a destination did not take yet, or never will.
struct Undelivered: Sendable, Equatable {
    let sequence: Int64
    let messageId: String
    let partition: ForwardedEvent.Partition
    var attempts = 0
    /// When it was tried first; nil while it only waits behind another one of its user.
    var since: Int64?
    /// When it may be tried again.
    var dueAt: Int64 = 0
    var reason: String?
    /// When it was given up; nil while it is tried.
    var deadAt: Int64?
}
