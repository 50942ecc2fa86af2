import CKafka
import WorkspaceServer

/// What the library says when something fails.
enum KafkaFailure {
    /// Codes of records that no broker will take, however often they are sent.
    private static let final = [
        RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, RD_KAFKA_RESP_ERR_INVALID_MSG_SIZE, RD_KAFKA_RESP_ERR_INVALID_RECORD,
        RD_KAFKA_RESP_ERR_POLICY_VIOLATION,
    ]

    /// - Parameter what: what was tried.
    static func error(_ code: rd_kafka_resp_err_t, _ what: String) -> LogError {
        let reason = "\(what): \(text(code))"
        return final.contains(code) ? .refused(reason) : .unavailable(reason)
    }

    static func text(_ code: rd_kafka_resp_err_t) -> String {
        rd_kafka_err2str(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
    }

    /// The text in a buffer that the library has filled.
    static func text(_ buffer: [CChar]) -> String {
        String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
