import Foundation
import GRDB

/// The index of messages that are there already, in the database of the workspace.
struct MessageIndex {
    let db: Database

    /// The day in which a row of that identity is; nil when there is none.
    func day(of identity: RowIdentity) throws -> Day? {
        let statement = try db.cachedStatement(sql: "SELECT day FROM seen WHERE key = ? AND source = ?")
        let key = MessageKey.of(identity.kind, identity.id)
        return try Int64.fetchOne(statement, arguments: [key, identity.source]).map(Day.init(number:))
    }

    /// The sources that have an event of that message id, with its day.
    func events(_ messageId: String) throws -> [(source: Int64, day: Day)] {
        try Row.fetchAll(
            db, sql: "SELECT source, day FROM seen WHERE key = ?", arguments: [MessageKey.of(.event, messageId)]
        ).map { (try $0.decode(Int64.self, atIndex: 0), Day(number: try $0.decode(Int64.self, atIndex: 1))) }
    }

    /// Notes a row; one that is noted already moves to that day.
    func note(_ identity: RowIdentity, in day: Day) throws {
        let statement = try db.cachedStatement(sql: "INSERT OR REPLACE INTO seen (key, source, day) VALUES (?, ?, ?)")
        try statement.execute(arguments: [MessageKey.of(identity.kind, identity.id), identity.source, day.number])
    }

    /// Forgets messages of days before one, in a part of the index; there is no index by day, which would cost more
    /// than it saves.
    /// - Returns: where the next part begins; nil when this was the last.
    func prune(before day: Day, from start: Data, count: Int) throws -> Data? {
        let next = try Data.fetchOne(
            db, sql: "SELECT key FROM seen WHERE key >= ? ORDER BY key LIMIT 1 OFFSET ?", arguments: [start, count])
        try db.execute(
            sql: "DELETE FROM seen WHERE key >= ?1 AND (?2 IS NULL OR key < ?2) AND day < ?3",
            arguments: [start, next, day.number])
        // A part of which every key is the same would never end; keys are digests, and sources are few.
        return next == start ? nil : next
    }
}
