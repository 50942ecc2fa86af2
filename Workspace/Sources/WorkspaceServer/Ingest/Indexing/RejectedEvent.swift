/// An event that is kept for a person to look at, with the reason.
struct RejectedEvent: Sendable {
    /// Its place in the batch.
    let index: Int
    let messageId: String?
    let rejection: Rejection
    let body: [UInt8]
}
