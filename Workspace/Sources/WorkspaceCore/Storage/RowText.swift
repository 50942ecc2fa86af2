import TributaryJSON

/// Makes the rows of lists out of what a storage knows. Events have `EventText`.
package enum RowText {
    /// - Parameter texts: the columns of the row with their values, in its order.
    package static func rejection(
        _ sequence: Int64, writeKey: String?, texts: [(column: String, value: String?)], receivedAt: Int64,
        body: [UInt8]
    ) -> StoredRow {
        var object = head(sequence, writeKey)
        for (column, value) in texts { object.add(column, value) }
        object.add("receivedAt", milliseconds: receivedAt)
        object.add("event", text: body)
        return StoredRow(kind: .rejected, sequence: sequence, text: object.finished(), body: body)
    }

    package static func signal(_ sequence: Int64, writeKey: String?, receivedAt: Int64, body: [UInt8]) -> StoredRow {
        var object = head(sequence, writeKey)
        object.add("receivedAt", milliseconds: receivedAt)
        object.add("signal", text: body)
        return StoredRow(kind: .signal, sequence: sequence, text: object.finished(), body: body)
    }

    /// - Throws: `JSONError` when the trace cannot be read.
    package static func trace(_ sequence: Int64, writeKey: String?, receivedAt: Int64, body: [UInt8]) throws
        -> StoredRow
    {
        var object = head(sequence, writeKey)
        object.add("receivedAt", milliseconds: receivedAt)
        let trace = try JSON.parse(body)
        for (key, value) in trace.objectValue ?? JSONObject() where !own.contains(key) { object.add(key, value) }
        return StoredRow(kind: .trace, sequence: sequence, text: object.finished(), body: body)
    }

    private static let own: Set<String> = ["sequence", "writeKey", "receivedAt"]

    private static func head(_ sequence: Int64, _ writeKey: String?) -> ObjectText {
        var object = ObjectText()
        object.add("sequence", sequence)
        object.add("writeKey", writeKey)
        return object
    }
}
