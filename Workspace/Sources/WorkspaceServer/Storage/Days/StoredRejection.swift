import Foundation
import GRDB

/// Makes a row of the list of dead letters out of one of the database.
enum StoredRejection {
    static let selection = """
        SELECT sequence, source, \(WholeText.columns(texts, of: "rejected")), receivedAt, body FROM rejected
        """
    private static let texts = ["messageId", "code", "reason"]

    static func row(_ row: Row, writeKeys: [Int64: String]) throws -> StoredRow {
        let sequence = try row.decode(Int64.self, forColumn: "sequence")
        let body = [UInt8](try row.decode(Data.self, forColumn: "body"))
        var object = ObjectText()
        object.add("sequence", sequence)
        object.add("writeKey", writeKeys[try row.decode(Int64.self, forColumn: "source")])
        for column in texts { object.add(column, try row.wholeText(column)) }
        object.add("receivedAt", milliseconds: try row.decode(Int64.self, forColumn: "receivedAt"))
        object.add("event", text: body)
        return StoredRow(kind: .rejected, sequence: sequence, text: object.finished(), body: body)
    }
}
