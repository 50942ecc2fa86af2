package import GRDB

extension SQLiteDays {
    package func identities(of day: Day) async throws -> [RowIdentity] {
        try await read(day) { db in
            var identities: [RowIdentity] = []
            try Self.forEachMessages(db, through: RowNumbers(stream: .max, rejected: .max)) { part in
                identities += part.map(\.identity)
            }
            return identities
        } ?? []
    }

    /// A row of a day, as the index of messages knows it.
    package struct Message {
        package let identity: RowIdentity
        package let receivedAt: Int64

        package init(identity: RowIdentity, receivedAt: Int64) {
            (self.identity, self.receivedAt) = (identity, receivedAt)
        }
    }

    /// Calls with the messages of a day up to a number, some thousand at a time.
    package static func forEachMessages(
        _ db: Database, through numbers: RowNumbers, _ body: ([Message]) throws -> Void
    ) throws {
        let kinds: [(RowIdentity.Kind, table: String, id: String, last: Int64)] = [
            (.event, "event", "messageId", numbers.stream), (.trace, "trace", "messageId", numbers.stream),
            (.signal, "signal", "messageId", numbers.stream), (.rejected, "rejected", "identity", numbers.rejected),
        ]
        var part: [Message] = []
        for (kind, table, id, last) in kinds {
            let sql = """
                SELECT source, receivedAt, \(WholeText.columns([id], of: table)) FROM \(table) WHERE sequence <= ?
                """
            let rows = try Row.fetchCursor(db, sql: sql, arguments: [last])
            while let row = try rows.next() {
                let identity = RowIdentity(
                    kind: kind, source: try row.decode(Int64.self, atIndex: 0), id: try row.knownText(id))
                part.append(Message(identity: identity, receivedAt: try row.decode(Int64.self, atIndex: 1)))
                guard part.count == Limits.messagesReadAtOnce else { continue }
                try body(part)
                part.removeAll(keepingCapacity: true)
            }
        }
        if !part.isEmpty { try body(part) }
    }
}
