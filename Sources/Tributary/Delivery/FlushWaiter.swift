/// A caller that waits until everything up to a place is sent.
struct FlushWaiter: Sendable {
    let id: Int
    let end: UInt64
    /// Whether it waits through failures until its time is over.
    let isPatient: Bool
    /// Whether the app flushes, not the client.
    var isOfApp = false
    let completion: @Sendable (FlushResult) -> Void
}
