/// An event that the server rejected. The operator can read it together with the reason.
struct RejectedEvent: Sendable {
    /// The index of the event in its batch.
    let index: Int
    let messageId: String?
    /// An id made from the event's place in the journal, for an event without a message id.
    let madeId: String
    let rejection: Rejection
    let body: [UInt8]

    /// A client that repeats a batch repeats its rejected events too. Rejected events with a message id are stored
    /// once.
    var identity: String { messageId ?? madeId }
}
