/// The records of the log, and the partitions that these go to.
package enum ClusterRecord {
    /// The record of a request with a batch of events, as it comes over HTTP.
    /// - Parameters:
    ///   - receivedAt: milliseconds since 1970, by the clock of the node.
    ///   - body: JSON, not compressed.
    package static func batch(source: Int64, receivedAt: Int64, body: [UInt8]) -> [UInt8] {
        AcceptedRequest(
            form: .batch, isCompressed: false, source: source, receivedAt: receivedAt, uploadedAt: nil, body: body
        ).encoded
    }

    /// The partition of a device: all that it sends is in one, in order.
    /// - Parameter device: the anonymous id; without one the user id.
    package static func partition(source: Int64, device: String, of partitions: Int) -> Int {
        Int(MessageKey(.event, "\(source)/\(device)").low % UInt64(partitions))
    }
}
