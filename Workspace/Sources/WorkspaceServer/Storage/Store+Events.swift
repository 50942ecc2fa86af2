import GRDB

extension Store {
    /// Stored events.
    func events(_ query: EventQuery) async throws -> ListPage {
        try await page(query, selection: StoredEvent.selection, table: "event") { row in
            let event = try StoredEvent(row: row)
            return (event.sequence, event.text)
        }
    }

    /// The stored event of that message id; the newest when several sources have it.
    func event(messageId: String) async throws -> [UInt8]? {
        try await pool.read { db in
            let sql = StoredEvent.selection + " WHERE event.messageId = ? ORDER BY event.sequence DESC LIMIT 1"
            return try Row.fetchOne(db, sql: sql, arguments: [messageId]).map { try StoredEvent(row: $0).text }
        }
    }

    /// Traces of events that were dropped on the device.
    func drops(_ query: EventQuery) async throws -> ListPage {
        try await page(query, selection: StoredTrace.selection, table: "trace", condition: "trace.dropped = 1") { row in
            let trace = try StoredTrace(row: row)
            return (trace.sequence, trace.text)
        }
    }

    /// Signals of devices.
    func signals(_ query: EventQuery) async throws -> ListPage {
        try await page(query, selection: StoredSignal.selection, table: "signal") { row in
            let signal = try StoredSignal(row: row)
            return (signal.sequence, signal.text)
        }
    }

    /// Events that were not stored, with the reasons.
    func rejected(_ query: EventQuery) async throws -> ListPage {
        try await page(query, selection: StoredRejection.selection, table: "rejected") { row in
            let event = try StoredRejection(row: row)
            return (event.sequence, event.text)
        }
    }

    private func page(
        _ query: EventQuery, selection: String, table: String, condition: String? = nil,
        _ read: @escaping @Sendable (Row) throws -> (sequence: Int64, text: [UInt8])
    ) async throws -> ListPage {
        let (sql, arguments) = Self.statement(query, selection, table, condition)
        return try await pool.read { db in
            var page = ListPage()
            var last: Int64?
            let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
            while let row = try rows.next() {
                if page.rows.count == query.limit {
                    page.next = last
                    break
                }
                let (sequence, text) = try read(row)
                page.rows.append(text)
                last = sequence
            }
            return page
        }
    }

    /// One row more than asked for tells whether there is a next page.
    private static func statement(
        _ query: EventQuery, _ selection: String, _ table: String, _ condition: String?
    ) -> (sql: String, arguments: StatementArguments) {
        var conditions = condition.map { [$0] } ?? []
        var arguments = StatementArguments()
        if let after = query.after {
            conditions.append("\(table).sequence > ?")
            arguments += [after]
        }
        if let before = query.before {
            conditions.append("\(table).sequence < ?")
            arguments += [before]
        }
        if let since = query.since {
            conditions.append("\(table).receivedAt >= ?")
            arguments += [since]
        }
        if let until = query.until {
            conditions.append("\(table).receivedAt < ?")
            arguments += [until]
        }
        for match in query.matches {
            conditions.append("\(match.column == .writeKey ? "source" : table).\(match.column.rawValue) = ?")
            arguments += [match.value]
        }
        let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        let order = " ORDER BY \(table).sequence \(query.order == .ascending ? "ASC" : "DESC") LIMIT ?"
        return (selection + filter + order, arguments + [query.limit + 1])
    }
}
