import Foundation
import GRDB
import TributaryJSON

/// Makes a row of the list of drops, and of the event stream, out of a trace in the database.
enum StoredTrace {
    static let selection = "SELECT sequence, source, receivedAt, body FROM trace"

    static func row(_ row: Row, writeKeys: [Int64: String]) throws -> StoredRow {
        let sequence = try row.decode(Int64.self, forColumn: "sequence")
        let body = [UInt8](try row.decode(Data.self, forColumn: "body"))
        var object = ObjectText()
        object.add("sequence", sequence)
        object.add("writeKey", writeKeys[try row.decode(Int64.self, forColumn: "source")])
        object.add("receivedAt", milliseconds: try row.decode(Int64.self, forColumn: "receivedAt"))
        let trace = try JSON.parse(body)
        for (key, value) in trace.objectValue ?? JSONObject() where !Self.own.contains(key) { object.add(key, value) }
        return StoredRow(kind: .trace, sequence: sequence, text: object.finished(), body: body)
    }

    private static let own: Set<String> = ["sequence", "writeKey", "receivedAt"]
}
