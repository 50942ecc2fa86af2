import Foundation
import GRDB

extension SQLiteDays {
    /// Reads the days in the order of the query. Their numbers follow one another, unless the clock has jumped; so a day
    /// is left out only when none of its numbers can come before the last row that there is already.
    package func rows(_ query: RowQuery) async throws -> [StoredRow] {
        let isAscending = query.order == .ascending
        var rows: [StoredRow] = []
        var partsAtOnce = 1
        for part in parts(query) {
            var limit = query.limit
            if let last = rows.last?.sequence {
                let follows = isAscending ? part.range.lowerBound > last : part.range.upperBound < last
                if follows, rows.count >= query.limit { break }
                if follows { limit -= rows.count }
            }
            guard mayHave(query, on: part.day) else { continue }
            let found = try await read(part.day) { [limit, partsAtOnce] db in
                try Self.fetch(db, query.within(part.day), limit, part.range, partsAtOnce)
            }
            guard let found else { continue }
            partsAtOnce = found.partsAtOnce
            guard !found.rows.isEmpty else { continue }
            rows = (rows + found.rows).sorted { isAscending ? $0.sequence < $1.sequence : $0.sequence > $1.sequence }
            if rows.count > query.limit { rows.removeLast(rows.count - query.limit) }
        }
        return rows
    }

    package func most(_ query: RowQuery) -> Int {
        parts(query).filter { mayHave(query, on: $0.day) }.reduce(0) { count, part in
            let first = Swift.max(part.range.lowerBound, query.after.map { $0 + 1 } ?? .min)
            let last = Swift.min(part.range.upperBound, query.before.map { $0 - 1 } ?? .max)
            return count + Swift.max(0, Int(last - first) + 1)
        }
    }

    /// False when the summary of a day says that it has no row of the query, so that the day is not opened.
    private func mayHave(_ query: RowQuery, on day: Day) -> Bool {
        guard query.list == .events || query.list == .bodies, !query.matches.isEmpty else { return true }
        return summaries.mayHave(query.matches, on: day)
    }

    package func event(_ messageId: String, source: Int64, receivedAt: Int64, writeKey: String) async throws
        -> StoredRow?
    {
        try await read(Day(milliseconds: receivedAt)) { db in
            let sql =
                StoredEvent.selection + """
                     WHERE event.receivedAt = ? AND event.messageId = \(WholeText.parameter) AND event.source = ?
                    """
            let arguments: StatementArguments = [receivedAt, WholeText.argument(messageId), source]
            return try Row.fetchOne(db, sql: sql, arguments: arguments).map {
                try StoredEvent.row($0, writeKeys: [source: writeKey])
            }
        } ?? nil
    }

    package func trace(_ messageId: String, source: Int64, day: Day) async throws -> IncomingTrace? {
        try await read(day) { db in
            let sql = """
                SELECT dropped, trackedAt, body FROM trace WHERE messageId = \(WholeText.parameter) AND source = ?
                """
            return try Row.fetchOne(db, sql: sql, arguments: [WholeText.argument(messageId), source]).map { row in
                IncomingTrace(
                    messageId: messageId, isDropped: try row.decode(Bool.self, forColumn: "dropped"),
                    trackedAt: try row.decode(Int64.self, forColumn: "trackedAt"),
                    body: [UInt8](try row.decode(Data.self, forColumn: "body")))
            }
        } ?? nil
    }

    private struct Part {
        let day: Day
        let range: ClosedRange<Int64>
    }

    /// The days that can hold rows of a query, in its order.
    private func parts(_ query: RowQuery) -> [Part] {
        let parts = files.extents.compactMap { day, extent -> Part? in
            guard let range = extent.range(of: query.list), range.upperBound > query.after ?? .min,
                range.lowerBound < query.before ?? .max, query.canBeIn(day),
                query.source.map({ extent.sources[$0] != nil }) ?? true
            else { return nil }
            return Part(day: day, range: range)
        }
        return query.order == .ascending
            ? parts.sorted { $0.range.lowerBound < $1.range.lowerBound }
            : parts.sorted { $0.range.upperBound > $1.range.upperBound }
    }

    /// - Parameters:
    ///   - range: of the numbers that the day has.
    ///   - partsAtOnce: how many parts of the indexes the first statement reads.
    /// - Returns: the rows, and how many parts the next statement shall read.
    private static func fetch(
        _ db: Database, _ query: RowQuery, _ limit: Int, _ range: ClosedRange<Int64>, _ partsAtOnce: Int
    ) throws -> (rows: [StoredRow], partsAtOnce: Int) {
        let selections = DaySelection.of(query.list)
        var rows: [StoredRow] = []
        var partsAtOnce = partsAtOnce
        for selection in selections {
            guard selection.isIndexed(for: query) else {
                rows += try selection.rows(db, query, limit)
                continue
            }
            rows += try indexed(selection, db, query, limit - rows.count, range, &partsAtOnce)
        }
        guard selections.count > 1 else { return (rows, partsAtOnce) }
        // Each part holds the first rows of its kind, so the first rows of all together are complete.
        let isAscending = query.order == .ascending
        rows.sort { isAscending ? $0.sequence < $1.sequence : $0.sequence > $1.sequence }
        return (Array(rows.prefix(limit)), partsAtOnce)
    }

    /// Looks for the parts of the indexes that have matches, which costs about a microsecond for each part, and only then
    /// for the rows in these: in one part first, which is enough for frequent values, and in more with each statement.
    private static func indexed(
        _ selection: DaySelection, _ db: Database, _ query: RowQuery, _ limit: Int, _ range: ClosedRange<Int64>,
        _ partsAtOnce: inout Int
    ) throws -> [StoredRow] {
        var rows: [StoredRow] = []
        var rest = query.indexParts(of: range)
        while rows.count < limit, let parts = rest {
            // Each part has at least one row.
            let most = min(partsAtOnce, limit - rows.count)
            let found = try selection.parts(db, query, parts, most: most)
            if !found.isEmpty { rows += try selection.rows(db, query, limit - rows.count, in: found) }
            rest = found.count == most ? found.last.flatMap(parts.behind) : nil
            partsAtOnce = min(partsAtOnce * 4, Limits.mostPartsAtOnce)
        }
        return rows
    }
}

extension RowQuery {
    /// The parts of the indexes in which rows of the query can be, in its order.
    fileprivate func indexParts(of range: ClosedRange<Int64>) -> IndexParts? {
        IndexParts(
            Swift.max(range.lowerBound, after ?? .min) / DaySchema.rowsOfIndexPart,
            Swift.min(range.upperBound, before ?? .max) / DaySchema.rowsOfIndexPart, order)
    }

    /// The query without times that exclude no row of a day. Otherwise SQLite would take the index of times, and read and
    /// sort the rows of the whole day for each page.
    fileprivate func within(_ day: Day) -> RowQuery {
        guard liesOnOwnDay else { return self }
        var query = self
        if let since, since <= day.start { query.since = nil }
        if let until, until >= day.advanced(by: 1).start { query.until = nil }
        return query
    }

    /// Whether each row lies in the file of the day on which it was received. Traces lie with their events, which may have
    /// come on another day.
    private var liesOnOwnDay: Bool { list != .drops && list != .stream }

    fileprivate func canBeIn(_ day: Day) -> Bool {
        guard liesOnOwnDay else { return true }
        if let since, day < Day(milliseconds: since) { return false }
        if let until, day > Day(milliseconds: until) { return false }
        return true
    }
}
