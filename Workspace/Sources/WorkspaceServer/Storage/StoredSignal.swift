import Foundation
import GRDB

/// A stored signal, ready to be shown.
struct StoredSignal {
    let sequence: Int64
    let text: [UInt8]

    static let selection = """
        SELECT signal.sequence, source.writeKey, signal.receivedAt, signal.body
        FROM signal JOIN source ON source.id = signal.source
        """

    init(row: Row) throws {
        sequence = try row.decode(Int64.self, forColumn: "sequence")
        var object = ObjectText()
        object.add("sequence", sequence)
        object.add("writeKey", try row.decode(String.self, forColumn: "writeKey"))
        object.add("receivedAt", milliseconds: try row.decode(Int64.self, forColumn: "receivedAt"))
        object.add("signal", text: try row.decode(Data.self, forColumn: "body"))
        text = object.finished()
    }
}
