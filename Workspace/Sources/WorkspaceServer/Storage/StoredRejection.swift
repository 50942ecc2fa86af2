import Foundation
import GRDB

/// An event that was not stored among the others, ready to be shown.
struct StoredRejection {
    let sequence: Int64
    let text: [UInt8]

    static let selection = """
        SELECT rejected.sequence, source.writeKey, rejected.messageId, rejected.code, rejected.reason,
            rejected.receivedAt, rejected.body
        FROM rejected JOIN source ON source.id = rejected.source
        """

    init(row: Row) throws {
        sequence = try row.decode(Int64.self, forColumn: "sequence")
        var object = ObjectText()
        object.add("sequence", sequence)
        for column in ["writeKey", "messageId", "code", "reason"] {
            object.add(column, try row.decode(String?.self, forColumn: column))
        }
        object.add("receivedAt", milliseconds: try row.decode(Int64.self, forColumn: "receivedAt"))
        object.add("event", text: try row.decode(Data.self, forColumn: "body"))
        text = object.finished()
    }
}
