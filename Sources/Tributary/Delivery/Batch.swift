import TributaryJSON
import TributaryJournal

/// The events of one request.
struct Batch: Sendable {
    let records: [JournalRecord]
    /// The sequence of the last record.
    let end: UInt64
    /// Bytes of the events in the body, with the commas between them.
    let bytes: Int

    /// The newest inbox record that these events came from.
    var tag: JournalTag? { records.last { $0.tag != nil }?.tag }

    /// The bytes of the body around the events, for that write key.
    static func envelopeBytes(writeKey: String) -> Int {
        body([], writeKey: writeKey, sentAt: ISO8601.string(milliseconds: 0)).count
    }

    /// The protocol's envelope around the events, which are already JSON texts.
    func body(writeKey: String, sentAt: String) -> [UInt8] {
        Self.body(records, writeKey: writeKey, sentAt: sentAt)
    }

    private static func body(_ records: [JournalRecord], writeKey: String, sentAt: String) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(records.reduce(128 + writeKey.utf8.count) { $0 + $1.payload.count + 1 })
        body.append(contentsOf: #"{"batch":["#.utf8)
        for (index, record) in records.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body.append(contentsOf: record.payload)
        }
        body.append(contentsOf: #"],"sentAt":"#.utf8)
        JSONText.write(sentAt, into: &body)
        body.append(contentsOf: #","writeKey":"#.utf8)
        JSONText.write(writeKey, into: &body)
        body.append(UInt8(ascii: "}"))
        return body
    }
}
