import Foundation
import GRDB

/// Makes a row of the list of drops, and of the event stream, out of a trace in the database.
enum StoredTrace {
    static let selection = "SELECT sequence, source, receivedAt, body FROM trace"

    static func row(_ row: Row, writeKeys: [Int64: String]) throws -> StoredRow {
        try RowText.trace(
            try row.decode(Int64.self, forColumn: "sequence"),
            writeKey: writeKeys[try row.decode(Int64.self, forColumn: "source")],
            receivedAt: try row.decode(Int64.self, forColumn: "receivedAt"),
            body: [UInt8](try row.decode(Data.self, forColumn: "body")))
    }
}
