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
    private static let bodies = DaySelection(
        table: "event", sql: "SELECT sequence, timestamp, receivedAt, body FROM event"
    ) { row, _ in
        var stored = StoredRow(
            kind: .event, sequence: try row.decode(Int64.self, atIndex: 0), text: [],
            body: [UInt8](try row.decode(Data.self, atIndex: 3)))
        stored.times = (try row.decode(Int64.self, atIndex: 1), try row.decode(Int64.self, atIndex: 2))
        return stored
    }

    /// Whether an index, which has parts, finds what the query asks for.
    func isIndexed(for query: RowQuery) -> Bool { table == "event" && !query.matches.isEmpty }

    /// - Parameter parts: the parts of the indexes in which rows are looked for; nil looks at all rows.
    func rows(_ db: Database, _ query: RowQuery, _ limit: Int, in parts: [Int64]? = nil) throws -> [StoredRow] {
        let (sql, arguments) = parts.map { indexed(query, limit, $0) } ?? statement(query, limit)
        // One that names rows is hardly asked for again.
        let statement = try query.numbers == nil ? db.cachedStatement(sql: sql) : db.makeStatement(sql: sql)
        return try Row.fetchAll(statement, arguments: arguments).map {
            try read($0, query.writeKeys)
        }
    }

    /// The first parts of the indexes that have rows with the values that a query asks for.
    /// - Parameter most: how many parts are looked for.
    func parts(_ db: Database, _ query: RowQuery, _ parts: IndexParts, most: Int) throws -> [Int64] {
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
            LIMIT ?
            """
        return try Int64.fetchAll(db.cachedStatement(sql: sql), arguments: arguments + [most])
    }

    private func statement(_ query: RowQuery, _ limit: Int) -> (sql: String, arguments: StatementArguments) {
        let (conditions, arguments) = conditions(query)
        let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        guard isWithinIndexOfTimes(query) else { return (sql + filter + order(query), arguments + [limit]) }
        // The numbers are sorted without reading the rows, and only the rows of the page are read.
        let numbers = "SELECT \(table).sequence FROM \(table)\(filter)\(order(query))"
        return ("\(sql) WHERE \(table).sequence IN (\(numbers))\(order(query))", arguments + [limit, limit])
    }

    /// Whether all columns of the conditions are in the index of the times of arrival, which SQLite takes for a part of a day.
    private func isWithinIndexOfTimes(_ query: RowQuery) -> Bool {
        table == "event" && (query.since ?? query.until) != nil && query.matches.isEmpty && query.numbers == nil
            && query.happened == nil
    }

    /// In one part the rows of a value are in their order, so the statement ends at the limit. In several parts it looks for
    /// the numbers of the rows first, and reads only the rows that are asked for. `CROSS` keeps SQLite from going through
    /// the rows in the place of the parts.
    private func indexed(
        _ query: RowQuery, _ limit: Int, _ parts: [Int64]
    ) -> (sql: String, arguments: StatementArguments) {
        let (conditions, arguments) = conditions(query)
        let rest = conditions.map { " AND " + $0 }.joined() + order(query)
        if parts.count == 1 {
            return ("\(sql) WHERE \(DaySchema.indexPart) = ?\(rest)", [parts[0]] + arguments + [limit])
        }
        let statement = """
            \(sql) WHERE \(table).sequence IN (
                SELECT \(table).sequence FROM json_each(?) AS part CROSS JOIN \(table)
                WHERE \(DaySchema.indexPart) = part.value\(rest))
            \(order(query))
            """
        return (statement, ["\(parts)"] + arguments + [limit, limit])
    }

    private func order(_ query: RowQuery) -> String {
        " ORDER BY \(table).sequence \(query.order == .ascending ? "ASC" : "DESC") LIMIT ?"
    }

    private func conditions(_ query: RowQuery) -> (conditions: [String], arguments: StatementArguments) {
        var conditions = condition.map { [$0] } ?? []
        var arguments = StatementArguments()
        func add(_ column: String, _ comparison: String, _ number: Int64?) {
            guard let number else { return }
            conditions.append("\(table).\(column) \(comparison) ?")
            arguments += [number]
        }
        add("sequence", ">", query.after)
        add("sequence", "<", query.before)
        add("source", "=", query.source)
        if let sources = query.sources {
            conditions.append("\(table).source IN (\(sources.sorted().map(String.init).joined(separator: ",")))")
        }
        if let numbers = query.numbers {
            conditions.append("\(table).sequence IN (\(numbers.map(String.init).joined(separator: ",")))")
        }
        add("receivedAt", ">=", query.since)
        add("receivedAt", "<", query.until)
        add("timestamp", ">=", query.happened?.lowerBound)
        add("timestamp", "<", query.happened?.upperBound)
        for match in query.matches {
            conditions.append("\(table).\(match.column.rawValue) = \(WholeText.parameter)")
            arguments += [WholeText.argument(match.value)]
        }
        return (conditions, arguments)
    }
}

/// Makes a row of the list of dead letters out of one of the database.
enum StoredRejection {
    static let selection = """
        SELECT sequence, source, \(WholeText.columns(texts, of: "rejected")), receivedAt, body FROM rejected
        """
    private static let texts = ["messageId", "code", "reason"]

    static func row(_ row: Row, writeKeys: [Int64: String]) throws -> StoredRow {
        RowText.rejection(
            try row.decode(Int64.self, forColumn: "sequence"),
            writeKey: writeKeys[try row.decode(Int64.self, forColumn: "source")],
            texts: try texts.map { ($0, try row.wholeText($0)) },
            receivedAt: try row.decode(Int64.self, forColumn: "receivedAt"),
            body: [UInt8](try row.decode(Data.self, forColumn: "body")))
    }
}

/// Makes a row of the list of signals out of one of the database.
enum StoredSignal {
    static let selection = "SELECT sequence, source, receivedAt, body FROM signal"

    static func row(_ row: Row, writeKeys: [Int64: String]) throws -> StoredRow {
        RowText.signal(
            try row.decode(Int64.self, forColumn: "sequence"),
            writeKey: writeKeys[try row.decode(Int64.self, forColumn: "source")],
            receivedAt: try row.decode(Int64.self, forColumn: "receivedAt"),
            body: [UInt8](try row.decode(Data.self, forColumn: "body")))
    }
}

/// Makes a row of the list of drops, and of the event stream, out of a trace in the database.
enum StoredTrace {
    static let selection = "SELECT sequence, source, receivedAt, body FROM trace"

    static func row(_ row: Row, writeKeys: [Int64: String]) throws -> StoredRow {
        try RowText.trace(
            try row.decode(Int64.self, forColumn: "sequence"),
            writeKey: writeKeys[try row.decode(Int64.self, forColumn: "source")],
            receivedAt: try row.decode(Int64.self, forColumn: "receivedAt"),
            body: [UInt8](try row.decode(Data.self, forColumn: "body")))
    }
}
