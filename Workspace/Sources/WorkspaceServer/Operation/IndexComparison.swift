import Foundation
import GRDB
import TributaryJSON

/// Compares the index of messages with the days.
struct IndexComparison {
    /// Rows that the index does not know.
    private(set) var unknown: [(RowIdentity, Day)] = []
    /// Days that could not be read.
    private(set) var unread: [Day] = []
    /// Messages that the index knows and no day has, except erased ones and losses that were noted before.
    private(set) var missing = 0
    private(set) var incompleteDays: [Day] = []

    /// - Parameter isBehind: the database is older than the days, so rows that it does not know are no fault.
    init(path: String, isBehind: Bool) throws {
        let days = try DataFolder.dayFiles(in: path + "/days")
        try DatabaseState.read(path + "/workspace.sqlite") { db in
            let numbers = isBehind ? RowNumbers(stream: .max, rejected: .max) : try Store.numbers(db)
            let index = MessageIndex(db: db)
            // The stored rows of a day, and the rows that were erased with their users: the index still knows those
            // messages.
            var found: [Day: Int] = [:]
            for day in days {
                do {
                    let (identities, erased) = try DatabaseState.read("\(path)/days/\(day).sqlite") {
                        (try SQLiteDays.identities($0, through: numbers), try DaySchema.erased($0))
                    }
                    found[day, default: 0] += erased
                    for identity in identities {
                        let known = try index.day(of: identity)
                        if known == nil { unknown.append((identity, day)) }
                        if known == day { found[day, default: 0] += 1 }
                    }
                } catch {
                    unread.append(day)
                }
            }
            try lookForMissing(db, days, found)
        }
    }

    /// Days are deleted by age, the oldest first. So a missing day was deleted only if all older days are missing too.
    private mutating func lookForMissing(_ db: Database, _ days: [Day], _ found: [Day: Int]) throws {
        guard let oldest = days.first else { return }
        let rows = try Row.fetchAll(
            db, sql: "SELECT day, count(*) FROM seen WHERE day >= ? GROUP BY day ORDER BY day",
            arguments: [oldest.number])
        var gone = 0
        for row in rows {
            let day = Day(number: try row.decode(Int64.self, atIndex: 0))
            let less = try row.decode(Int.self, atIndex: 1) - (found[day] ?? 0)
            guard less > 0, !unread.contains(day) else { continue }
            gone += less
            incompleteDays.append(day)
        }
        missing = max(0, gone - (try Self.noted(db)))
    }

    /// Losses that a repair noted.
    private static func noted(_ db: Database) throws -> Int {
        let sql = "SELECT details FROM audit WHERE action = ?"
        return try Data.fetchAll(db, sql: sql, arguments: [AuditEntry.Action.dataLost.rawValue]).reduce(0) {
            $0 + (try JSON.parse([UInt8]($1))["count"]?.intValue ?? 0)
        }
    }
}
