import Foundation
import GRDB
import Logging

/// Takes the rows of a folder of an older version, which had all of them in one database, to the days.
///
/// Goes on where it was stopped: rows are deleted from the old place only when they are in the new one, and writing them
/// once more changes nothing.
struct EventMove {
    let pool: DatabasePool
    let days: SQLiteDays
    let logger: Logger

    init(from pool: DatabasePool, to days: SQLiteDays, logger: Logger) {
        self.pool = pool
        self.days = days
        self.logger = logger
    }

    func run() throws {
        var (moved, isDone) = (0, false)
        // Events first: traces go to where their events are.
        for table in MovedTable.all where try pool.read({ try $0.tableExists(table.name) }) {
            if moved == 0 { logger.notice("events are moved to a database per day; this is done once") }
            while case let count = try moveSome(of: table), count > 0 { moved += count }
            try pool.write { try $0.drop(table: table.name) }
            isDone = true
        }
        if moved > 0 { logger.notice("events were moved to a database per day", metadata: ["rows": "\(moved)"]) }
        if isDone { giveBackRoom() }
    }

    /// - Returns: how many rows were moved.
    private func moveSome(of table: MovedTable) throws -> Int {
        let rows = try pool.read { db in
            let others = try db.columns(in: table.name).map(\.name).filter { !table.texts.contains($0) }
            let sql = """
                SELECT \(others.joined(separator: ", ")), \(WholeText.columns(table.texts, of: table.name))
                FROM \(table.name) ORDER BY sequence LIMIT ?
                """
            return try Row.fetchAll(db, sql: sql, arguments: [Limits.rowsMovedAtOnce])
        }
        guard let last = rows.last else { return 0 }
        let placed = try pool.read { db in try rows.map { try table.place($0, MessageIndex(db: db)) } }
        for (day, rows) in Dictionary(grouping: zip(rows, placed), by: { $1.day }) {
            try days.files.madePool(for: day).write { db in
                for (row, place) in rows { try table.insert(row, place.id, db) }
                days.files.setExtent(try DayExtent(db), of: day)
            }
        }
        try pool.write { db in
            let index = MessageIndex(db: db)
            for place in placed { try index.note(place.identity, in: place.day) }
            let sequence = try last.decode(Int64.self, forColumn: "sequence")
            try db.execute(sql: "DELETE FROM \(table.name) WHERE sequence <= ?", arguments: [sequence])
            let column = table.kind == .rejected ? "rejected" : "stream"
            try db.execute(sql: "UPDATE position SET \(column) = max(\(column), ?)", arguments: [sequence])
        }
        return rows.count
    }

    /// Costs nothing but room when it fails.
    private func giveBackRoom() {
        do {
            try pool.vacuum()
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        } catch {
            logger.warning("the database stays as large as it was", metadata: ["error": "\(error)"])
        }
    }
}

/// A table of the older form.
private struct MovedTable {
    let name: String
    let kind: RowIdentity.Kind
    /// Its columns that clients fill.
    let texts: [String]

    static let all = [
        MovedTable(name: "event", kind: .event, texts: ["messageId", "type", "name", "userId", "anonymousId"]),
        MovedTable(name: "trace", kind: .trace, texts: ["messageId"]),
        MovedTable(name: "signal", kind: .signal, texts: ["messageId", "type", "anonymousId"]),
        MovedTable(name: "rejected", kind: .rejected, texts: ["messageId", "code", "reason"]),
    ]

    func place(_ row: Row, _ index: MessageIndex) throws -> (id: String, identity: RowIdentity, day: Day) {
        let source = try row.decode(Int64.self, forColumn: "source")
        let sequence = try row.decode(Int64.self, forColumn: "sequence")
        let id = try row.wholeText("messageId") ?? "row-\(sequence)"
        var day = Day(milliseconds: try row.decode(Int64.self, forColumn: "receivedAt"))
        if kind == .trace, let event = try index.day(of: RowIdentity(kind: .event, source: source, id: id)) {
            day = event
        }
        return (id, RowIdentity(kind: kind, source: source, id: id), day)
    }

    /// The columns are the same ones, but for the identity of dead letters.
    /// - Parameter id: what a dead letter is told from others by.
    func insert(_ row: Row, _ id: String, _ db: Database) throws {
        var columns = Array(row.columnNames)
        var values = Array(row.databaseValues)
        if kind == .rejected {
            columns.append("identity")
            values.append(WholeText.argument(id).databaseValue)
        }
        let marks = columns.map { texts.contains($0) || $0 == "identity" ? "CAST(? AS TEXT)" : "?" }
            .joined(separator: ", ")
        let statement = try db.cachedStatement(
            sql: "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(marks)) ON CONFLICT DO NOTHING")
        try statement.execute(arguments: StatementArguments(values))
    }
}
