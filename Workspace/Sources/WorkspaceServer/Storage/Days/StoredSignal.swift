import Foundation
import GRDB

/// Makes a row of the list of signals out of one of the database.
enum StoredSignal {
    static let selection = "SELECT sequence, source, receivedAt, body FROM signal"

    static func row(_ row: Row, writeKeys: [Int64: String]) throws -> StoredRow {
        RowText.signal(
            try row.decode(Int64.self, forColumn: "sequence"),
            writeKey: writeKeys[try row.decode(Int64.self, forColumn: "source")],
            receivedAt: try row.decode(Int64.self, forColumn: "receivedAt"),
            body: [UInt8](try row.decode(Data.self, forColumn: "body")))
    }
}
