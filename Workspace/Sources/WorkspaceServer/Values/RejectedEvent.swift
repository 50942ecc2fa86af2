/// An event that is kept for a person to look at, with the reason.
struct RejectedEvent: Sendable {
    /// Its place in the batch.
    let index: Int
    let messageId: String?
    /// Its place in the journal as a name, for an event that has no message id.
    let madeId: String
    let rejection: Rejection
    let body: [UInt8]

    /// A client that repeats a batch repeats its bad events too; those that can be told apart are kept once.
    var identity: String { messageId ?? madeId }
}
