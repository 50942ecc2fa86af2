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

    func statement(_ query: RowQuery, _ limit: Int) -> (sql: String, arguments: StatementArguments) {
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
