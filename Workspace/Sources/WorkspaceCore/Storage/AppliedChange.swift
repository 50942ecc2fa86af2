package import GRDB

/// How far a node of a cluster has applied the changes of the settings. A folder without one was never in a cluster.
package struct AppliedChange: Sendable, Equatable {
    /// Differs between the log of the changes and one that was made after that log was deleted.
    package let incarnation: String
    /// The place of the last change that was applied.
    package let place: UInt64

    package init(incarnation: String, place: UInt64) { (self.incarnation, self.place) = (incarnation, place) }

    package static func read(_ db: Database) throws -> AppliedChange? {
        try Row.fetchOne(db, sql: "SELECT incarnation, place FROM appliedChange").map { row in
            AppliedChange(
                incarnation: try row.decode(forColumn: "incarnation"),
                place: UInt64(clamping: try row.decode(Int64.self, forColumn: "place")))
        }
    }

    /// Notes it, in the transaction of the change.
    package func write(_ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO appliedChange (id, place, incarnation) VALUES (1, ?, ?)",
            arguments: [Int64(clamping: place), incarnation])
    }
}
