import GRDB

extension SQLiteDays {
    func identities(of day: Day) async throws -> [RowIdentity] {
        try await read(day) { db in
            let kinds: [(RowIdentity.Kind, String)] = [
                (.event, "SELECT source, messageId FROM event"), (.trace, "SELECT source, messageId FROM trace"),
                (.signal, "SELECT source, messageId FROM signal"), (.rejected, "SELECT source, identity FROM rejected"),
            ]
            return try kinds.flatMap { kind, sql in
                try Row.fetchAll(db, sql: sql).map { row in
                    RowIdentity(
                        kind: kind, source: try row.decode(Int64.self, atIndex: 0),
                        id: try row.decode(String.self, atIndex: 1))
                }
            }
        } ?? []
    }
}
