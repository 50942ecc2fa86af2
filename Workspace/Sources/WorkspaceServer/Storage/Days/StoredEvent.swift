import Foundation
import GRDB
import TributaryJSON

/// Makes a row of the list of events out of one of the database.
enum StoredEvent {
    /// The columns that `row` reads, and where they come from.
    static let selection = """
        SELECT event.sequence, event.source, \(WholeText.columns(texts, of: "event")), event.timestamp,
            event.originalTimestamp, event.sentAt, event.receivedAt, event.storedAt, event.body, trace.body AS trace
        FROM event LEFT JOIN trace ON trace.messageId = event.messageId AND trace.source = event.source
        """
    private static let texts = ["messageId", "type", "name", "userId", "anonymousId"]

    static func row(_ row: Row, writeKeys: [Int64: String]) throws -> StoredRow {
        let sequence = try row.decode(Int64.self, forColumn: "sequence")
        let body = [UInt8](try row.decode(Data.self, forColumn: "body"))
        var object = ObjectText()
        object.add("sequence", sequence)
        object.add("writeKey", writeKeys[try row.decode(Int64.self, forColumn: "source")])
        for column in texts { object.add(column, try row.wholeText(column)) }
        for column in ["timestamp", "originalTimestamp", "sentAt", "receivedAt", "storedAt"] {
            object.add(column, milliseconds: try row.decode(Int64?.self, forColumn: column))
        }
        if try row.decode(Int64?.self, forColumn: "originalTimestamp") == nil, let problem = TimeProblem.of(body) {
            object.add("timeProblem", problem)
        }
        if let trace = try row.decode(Data?.self, forColumn: "trace") {
            let trace = try JSON.parse([UInt8](trace))
            for member in ["trackedAt", "stages"] { trace[member].map { object.add(member, $0) } }
        }
        object.add("event", text: body)
        return StoredRow(kind: .event, sequence: sequence, text: object.finished(), body: body)
    }
}
