import WorkspaceCore
import WorkspaceServer

/// A row as the column store returns it for lists.
struct FoundRow {
    let kind: RowIdentity.Kind
    let source: Int64
    let number: Int64
    let receivedAt: Int64
    private let storedAt: Int64
    private let messageId: String?
    private let type: String
    private let name: String?
    private let userId: String?
    private let anonymousId: String?
    let timestamp: Int64
    private let originalTimestamp: Int64?
    private let sentAt: Int64?
    private let code: String
    private let reason: String
    let body: [UInt8]

    /// The columns that are read, in this order.
    static let columns = """
        kind, source, number, receivedAt, storedAt, messageId, type, name, userId, anonymousId, timestamp, \
        originalTimestamp, sentAt, code, reason, body
        """

    init(_ answer: inout RowBinaryReader) throws(ClickHouseError) {
        let kind = try answer.number(UInt8.self)
        guard let kind = RowIdentity.Kind(rawValue: kind) else { throw .answer("there is no kind \(kind)") }
        self.kind = kind
        source = try answer.number()
        number = try answer.number()
        receivedAt = try answer.number()
        storedAt = try answer.number()
        messageId = try answer.optionalText()
        type = try answer.text()
        name = try answer.optionalText()
        userId = try answer.optionalText()
        anonymousId = try answer.optionalText()
        timestamp = try answer.number()
        originalTimestamp = try answer.optionalNumber()
        sentAt = try answer.optionalNumber()
        code = try answer.text()
        reason = try answer.text()
        body = try answer.bytes()
    }

    /// The identity that a trace of the event has.
    var traceIdentity: RowIdentity { RowIdentity(kind: .trace, source: source, id: messageId ?? "") }

    /// The row as it is shown.
    /// - Parameter trace: the trace of the event.
    func row(_ writeKeys: [Int64: String], trace: ClickHouseStorage.FoundTrace?) throws -> StoredRow {
        let writeKey = writeKeys[source]
        switch kind {
        case .event:
            return try EventText(
                sequence: number, writeKey: writeKey, texts: [messageId, type, name, userId, anonymousId],
                times: [timestamp, originalTimestamp, sentAt, receivedAt, storedAt], trace: trace?.body, body: body
            ).row
        case .rejected:
            let texts = [("messageId", messageId), ("code", code), ("reason", reason)]
            return RowText.rejection(number, writeKey: writeKey, texts: texts, receivedAt: receivedAt, body: body)
        case .trace: return try RowText.trace(number, writeKey: writeKey, receivedAt: receivedAt, body: body)
        case .signal: return RowText.signal(number, writeKey: writeKey, receivedAt: receivedAt, body: body)
        }
    }
}
