import Foundation
import GRDB

/// How the rows of one kind are read from the database of a day.
struct DaySelection: Sendable {
    let table: String
    let sql: String
    var condition: String?
    let read: @Sendable (Row, [Int64: String]) throws -> StoredRow

    static func of(_ list: RowQuery.List) -> [DaySelection] {
        switch list {
        case .events: [events]
        case .bodies: [bodies]
        case .signals: [signals]
        case .rejected: [rejected]
        case .drops:
            [
                DaySelection(
                    table: "trace", sql: StoredTrace.selection, condition: "trace.dropped = 1", read: traces.read)
            ]
        case .stream: [events, traces, signals]
        }
    }

    private static let events = DaySelection(table: "event", sql: StoredEvent.selection, read: StoredEvent.row)
    private static let traces = DaySelection(table: "trace", sql: StoredTrace.selection, read: StoredTrace.row)
    private static let signals = DaySelection(table: "signal", sql: StoredSignal.selection, read: StoredSignal.row)
    private static let rejected = DaySelection(
        table: "rejected", sql: StoredRejection.selection, read: StoredRejection.row)
    private static let bodies = DaySelection(table: "event", sql: "SELECT sequence, body FROM event") { row, _ in
        StoredRow(
            kind: .event, sequence: try row.decode(Int64.self, forColumn: "sequence"), text: [],
            body: [UInt8](try row.decode(Data.self, forColumn: "body")))
    }

    /// Whether an index, which has parts, finds what the query asks for.
    func isIndexed(for query: RowQuery) -> Bool { table == "event" && !query.matches.isEmpty }

    /// - Parameter part: the part of the indexes in which rows are looked for; nil looks at all rows.
    func rows(_ db: Database, _ query: RowQuery, _ limit: Int, inPart part: Int64? = nil) throws -> [StoredRow] {
        let (sql, arguments) = statement(query, limit, part)
        // One that names rows is hardly asked for again.
        let statement = try query.numbers == nil ? db.cachedStatement(sql: sql) : db.makeStatement(sql: sql)
        return try Row.fetchAll(statement, arguments: arguments).map {
            try read($0, query.writeKeys)
        }
    }

    /// The first parts of the indexes that have rows with the values that a query asks for.
    func parts(_ db: Database, _ query: RowQuery, _ parts: IndexParts) throws -> [Int64] {
        var arguments: StatementArguments = [parts.first, parts.step, parts.last]
        let matches = query.matches.map { match in
            arguments += [WholeText.argument(match.value)]
            return " AND \(table).\(match.column.rawValue) = \(WholeText.parameter)"
        }
        let sql = """
            WITH RECURSIVE part (number) AS (
                SELECT ? UNION ALL SELECT number + ? FROM part WHERE number != ?)
            SELECT number FROM part
            WHERE EXISTS (SELECT 1 FROM \(table) WHERE \(DaySchema.indexPart) = part.number\(matches.joined()))
            LIMIT \(Limits.partsFoundAtOnce)
            """
        return try Int64.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
    }

    private func statement(
        _ query: RowQuery, _ limit: Int, _ part: Int64?
    ) -> (sql: String, arguments: StatementArguments) {
        var conditions = condition.map { [$0] } ?? []
        var arguments = StatementArguments()
        if let part {
            conditions.append("\(DaySchema.indexPart) = ?")
            arguments += [part]
        }
        func add(_ column: String, _ comparison: String, _ number: Int64?) {
            guard let number else { return }
            conditions.append("\(table).\(column) \(comparison) ?")
            arguments += [number]
        }
        add("sequence", ">", query.after)
        add("sequence", "<", query.before)
        add("source", "=", query.source)
        if let numbers = query.numbers {
            conditions.append("\(table).sequence IN (\(numbers.map(String.init).joined(separator: ",")))")
        }
        add("receivedAt", ">=", query.since)
        add("receivedAt", "<", query.until)
        for match in query.matches {
            conditions.append("\(table).\(match.column.rawValue) = \(WholeText.parameter)")
            arguments += [WholeText.argument(match.value)]
        }
        let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        let order = " ORDER BY \(table).sequence \(query.order == .ascending ? "ASC" : "DESC") LIMIT ?"
        return (sql + filter + order, arguments + [limit])
    }
}
