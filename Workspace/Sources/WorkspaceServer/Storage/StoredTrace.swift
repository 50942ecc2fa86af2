import Foundation
import GRDB
import TributaryJSON

/// A stored trace, ready to be shown.
struct StoredTrace {
    let sequence: Int64
    let text: [UInt8]

    static let selection = """
        SELECT trace.sequence, source.writeKey, trace.receivedAt, trace.body
        FROM trace JOIN source ON source.id = trace.source
        """

    init(row: Row) throws {
        sequence = try row.decode(Int64.self, forColumn: "sequence")
        var object = ObjectText()
        object.add("sequence", sequence)
        object.add("writeKey", try row.decode(String.self, forColumn: "writeKey"))
        object.add("receivedAt", milliseconds: try row.decode(Int64.self, forColumn: "receivedAt"))
        let trace = try JSON.parse([UInt8](try row.decode(Data.self, forColumn: "body")))
        for (key, value) in trace.objectValue ?? JSONObject() where !Self.own.contains(key) { object.add(key, value) }
        text = object.finished()
    }

    private static let own: Set<String> = ["sequence", "writeKey", "receivedAt"]
}
