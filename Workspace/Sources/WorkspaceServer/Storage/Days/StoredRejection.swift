import Foundation
import GRDB

/// Makes a row of the list of dead letters out of one of the database.
enum StoredRejection {
    static let selection = """
        SELECT sequence, source, \(WholeText.columns(texts, of: "rejected")), receivedAt, body FROM rejected
        """
    private static let texts = ["messageId", "code", "reason"]

    static func row(_ row: Row, writeKeys: [Int64: String]) throws -> StoredRow {
        RowText.rejection(
            try row.decode(Int64.self, forColumn: "sequence"),
            writeKey: writeKeys[try row.decode(Int64.self, forColumn: "source")],
            texts: try texts.map { ($0, try row.wholeText($0)) },
            receivedAt: try row.decode(Int64.self, forColumn: "receivedAt"),
            body: [UInt8](try row.decode(Data.self, forColumn: "body")))
    }
}
