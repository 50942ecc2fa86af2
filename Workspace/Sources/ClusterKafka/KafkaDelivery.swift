import CKafka
import WorkspaceServer

/// An append that is on its way. The library has it until it reports.
final class KafkaDelivery {
    private let finish: @Sendable (Result<UInt64, LogError>) -> Void

    /// - Parameter finish: gets the place once; called on a thread of the library's client.
    init(_ finish: @escaping @Sendable (Result<UInt64, LogError>) -> Void) { self.finish = finish }

    /// What the library calls for each record, acknowledged or given up.
    static let report:
        @convention(c) (OpaquePointer?, UnsafePointer<rd_kafka_message_t>?, UnsafeMutableRawPointer?) ->
            Void = { _, message, _ in
                guard let message = message?.pointee, let context = message._private else { return }
                Unmanaged<KafkaDelivery>.fromOpaque(context).takeRetainedValue().finish(result(of: message))
            }

    private static func result(of message: rd_kafka_message_t) -> Result<UInt64, LogError> {
        guard message.err == RD_KAFKA_RESP_ERR_NO_ERROR else {
            return .failure(KafkaFailure.error(message.err, "the record was not acknowledged"))
        }
        // An old repetition is acknowledged without its offset. It is there, and its sender may send the events again.
        guard message.offset >= 0 else { return .failure(.unavailable("the record was acknowledged without a place")) }
        return .success(UInt64(message.offset) + 1)
    }
}
