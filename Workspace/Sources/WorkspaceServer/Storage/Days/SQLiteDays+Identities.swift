import GRDB

extension SQLiteDays {
    func identities(of day: Day) async throws -> [RowIdentity] {
        try await read(day) { db in try Self.identities(db, through: RowNumbers(stream: .max, rejected: .max)) } ?? []
    }

    /// What the rows of a day are known by, up to a number.
    static func identities(_ db: Database, through numbers: RowNumbers) throws -> [RowIdentity] {
        let kinds: [(RowIdentity.Kind, table: String, id: String, last: Int64)] = [
            (.event, "event", "messageId", numbers.stream), (.trace, "trace", "messageId", numbers.stream),
            (.signal, "signal", "messageId", numbers.stream), (.rejected, "rejected", "identity", numbers.rejected),
        ]
        return try kinds.flatMap { kind, table, id, last in
            let sql = "SELECT source, \(WholeText.columns([id], of: table)) FROM \(table) WHERE sequence <= ?"
            return try Row.fetchAll(db, sql: sql, arguments: [last]).map { row in
                RowIdentity(
                    kind: kind, source: try row.decode(Int64.self, forColumn: "source"), id: try row.knownText(id))
            }
        }
    }
}
