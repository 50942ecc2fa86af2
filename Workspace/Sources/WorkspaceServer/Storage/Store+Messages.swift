import GRDB

extension Store {
    /// Events, traces and signals between two sequences, the lower one excluded, in order; a part of them when there are many.
    func messages(after: Int64, through end: Int64) async throws -> [StreamMessage] {
        let rows = Limits.defaultPageRows
        return try await pool.read { db in
            let events = try Row.fetchAll(
                db, sql: Self.statement(StoredEvent.selection, "event"), arguments: [after, end, rows]
            ).map { StreamMessage(try StoredEvent(row: $0)) }
            let traces = try Row.fetchAll(
                db, sql: Self.statement(StoredTrace.selection, "trace"), arguments: [after, end, rows]
            ).map { StreamMessage(try StoredTrace(row: $0)) }
            let signals = try Row.fetchAll(
                db, sql: Self.statement(StoredSignal.selection, "signal"), arguments: [after, end, rows]
            ).map { StreamMessage(try StoredSignal(row: $0)) }
            // Each list holds the first rows of its kind, so the first rows of all together are complete.
            return Array((events + traces + signals).sorted { $0.sequence ?? 0 < $1.sequence ?? 0 }.prefix(rows))
        }
    }

    private static func statement(_ selection: String, _ table: String) -> String {
        "\(selection) WHERE \(table).sequence > ? AND \(table).sequence <= ? ORDER BY \(table).sequence LIMIT ?"
    }
}
