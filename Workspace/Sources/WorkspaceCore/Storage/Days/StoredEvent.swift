import Foundation
import GRDB

/// Makes a row of the list of events out of one of the database.
enum StoredEvent {
    /// The columns that `row` reads, and where they come from.
    static let selection = """
        SELECT event.sequence, event.source, \(WholeText.columns(texts, of: "event")), event.timestamp,
            event.originalTimestamp, event.sentAt, event.receivedAt, event.storedAt, event.body, trace.body AS trace
        FROM event LEFT JOIN trace ON trace.messageId = event.messageId AND trace.source = event.source
        """
    static func row(_ row: Row, writeKeys: [Int64: String]) throws -> StoredRow {
        let text = EventText(
            sequence: try row.decode(Int64.self, forColumn: "sequence"),
            writeKey: writeKeys[try row.decode(Int64.self, forColumn: "source")],
            texts: try texts.map { try row.wholeText($0) },
            times: try times.map { try row.decode(Int64?.self, forColumn: $0) },
            trace: try row.decode(Data?.self, forColumn: "trace").map { [UInt8]($0) },
            body: [UInt8](try row.decode(Data.self, forColumn: "body")))
        return try text.row
    }

    private static let texts = EventText.texts
    private static let times = EventText.times
}
