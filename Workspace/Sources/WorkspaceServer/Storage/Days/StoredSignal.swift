import Foundation
import GRDB

/// Makes a row of the list of signals out of one of the database.
enum StoredSignal {
    static let selection = "SELECT sequence, source, receivedAt, body FROM signal"

    static func row(_ row: Row, writeKeys: [Int64: String]) throws -> StoredRow {
        let sequence = try row.decode(Int64.self, forColumn: "sequence")
        let body = [UInt8](try row.decode(Data.self, forColumn: "body"))
        var object = ObjectText()
        object.add("sequence", sequence)
        object.add("writeKey", writeKeys[try row.decode(Int64.self, forColumn: "source")])
        object.add("receivedAt", milliseconds: try row.decode(Int64.self, forColumn: "receivedAt"))
        object.add("signal", text: body)
        return StoredRow(kind: .signal, sequence: sequence, text: object.finished(), body: body)
    }
}
