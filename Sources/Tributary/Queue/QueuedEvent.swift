/// An event of the inbox.
struct QueuedEvent: Sendable {
    let sequence: UInt64
    let payload: [UInt8]
    /// The parsed event. It is there when the call was a moment ago, so the payload need not be parsed.
    var parsed: InboxRecord?
}
