/// An event that the server rejected. The operator can read it together with the reason.
package struct RejectedEvent: Sendable {
    /// The index of the event in its batch.
    package let index: Int
    package let messageId: String?
    /// An id made from the event's place in the journal, for an event without a message id.
    let madeId: String
    package let rejection: Rejection
    package let body: [UInt8]

    package init(index: Int, messageId: String?, madeId: String, rejection: Rejection, body: [UInt8]) {
        (self.index, self.messageId, self.madeId) = (index, messageId, madeId)
        (self.rejection, self.body) = (rejection, body)
    }

    /// A client that repeats a batch repeats its rejected events too. Rejected events with a message id are stored
    /// once.
    package var identity: String { messageId ?? madeId }
}
