import Foundation
import GRDB
import TributaryJSON

/// A stored event with what its trace adds, ready to be shown.
struct StoredEvent {
    let sequence: Int64
    let text: [UInt8]

    /// The columns that `init(row:)` reads, and where they come from.
    static let selection = """
        SELECT event.sequence, source.writeKey, event.messageId, event.type, event.name, event.userId,
            event.anonymousId, event.timestamp, event.originalTimestamp, event.sentAt, event.receivedAt,
            event.storedAt, event.body, trace.body AS trace
        FROM event JOIN source ON source.id = event.source
            LEFT JOIN trace ON trace.messageId = event.messageId AND trace.source = event.source
        """

    init(row: Row) throws {
        sequence = try row.decode(Int64.self, forColumn: "sequence")
        var object = ObjectText()
        object.add("sequence", sequence)
        for column in ["writeKey", "messageId", "type", "name", "userId", "anonymousId"] {
            object.add(column, try row.decode(String?.self, forColumn: column))
        }
        for column in ["timestamp", "originalTimestamp", "sentAt", "receivedAt", "storedAt"] {
            object.add(column, milliseconds: try row.decode(Int64?.self, forColumn: column))
        }
        if let trace = try row.decode(Data?.self, forColumn: "trace") {
            let trace = try JSON.parse([UInt8](trace))
            for member in ["trackedAt", "stages"] { trace[member].map { object.add(member, $0) } }
        }
        object.add("event", text: try row.decode(Data.self, forColumn: "body"))
        text = object.finished()
    }
}
