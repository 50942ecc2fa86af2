package import GRDB

/// How far a node of a cluster has counted the log of health reports, written together with the sums.
package struct HealthLogOffset: Sendable, Equatable {
    /// Which log it is. See `LogRange`.
    package let incarnation: String
    /// The last record that was counted.
    package let place: UInt64
    /// The time from which on the sums of this node have all reports, in milliseconds since 1970. Nil when nothing is missing.
    package let since: Int64?

    package init(incarnation: String, place: UInt64, since: Int64?) {
        (self.incarnation, self.place, self.since) = (incarnation, place, since)
    }

    /// Nil for a folder that has counted no such log.
    package static func read(_ db: Database) throws -> HealthLogOffset? {
        try Row.fetchOne(db, sql: "SELECT since, incarnation, place FROM healthLog").map { row in
            HealthLogOffset(
                incarnation: try row.decode(forColumn: "incarnation"),
                place: UInt64(clamping: try row.decode(Int64.self, forColumn: "place")),
                since: try row.decode(forColumn: "since"))
        }
    }

    /// Notes it, in the transaction of the sums.
    package func write(_ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO healthLog (id, since, incarnation, place) VALUES (1, ?, ?, ?)",
            arguments: [since, incarnation, Int64(clamping: place)])
    }
}
