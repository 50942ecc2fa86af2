import GRDB

extension Store {
    /// The counter of what a source sent on a day, in days since 1970.
    static func dayCounter(_ day: Int64) -> String { "\(dayCounters)\(day)" }

    /// The prefix of the names of these counters.
    static let dayCounters = "day:"

    /// How much each source sent on a day, as far as it is stored. Counters of other days go.
    func received(on day: Int64) throws -> [Int64: Int] {
        try pool.write { db in
            try db.execute(
                sql: "DELETE FROM counter WHERE name LIKE 'day:%' AND name <> ?", arguments: [Self.dayCounter(day)])
            let sql = "SELECT source, value FROM counter WHERE name = ?"
            let rows = try Row.fetchAll(db, sql: sql, arguments: [Self.dayCounter(day)])
            return Dictionary(
                try rows.map { (try $0.decode(Int64.self, atIndex: 0), try $0.decode(Int.self, atIndex: 1)) },
                uniquingKeysWith: { first, _ in first })
        }
    }
}
