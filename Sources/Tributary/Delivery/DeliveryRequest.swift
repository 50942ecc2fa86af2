import Foundation

/// A request with a batch.
struct DeliveryRequest: Sendable {
    let id: Int
    let batch: Batch
    /// The server's address, in the form of `Endpoint`.
    let host: String
    let isCompressed: Bool
    let retryCount: Int
    /// Seconds until the request counts as unanswered.
    let deadline: TimeInterval
}
