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

    /// The days in which rows of these identities are; what is nowhere is left out. Many are asked for at once, and in the
    /// order of the index, so that a page of it is looked at once.
    func days(of identities: Set<RowIdentity>) throws -> [RowIdentity: Day] {
        var days: [RowIdentity: Day] = [:]
        for (source, identities) in Dictionary(grouping: identities, by: \.source) {
            let named = Dictionary(
                identities.map { (MessageKey.of($0.kind, $0.id), $0) }, uniquingKeysWith: { first, _ in first })
            let keys = MessageKey.sorted(named.keys.map { ($0, ()) }).map(\.0)
            for start in stride(from: 0, to: keys.count, by: Self.askedAtOnce) {
                let some = keys[start..<min(start + Self.askedAtOnce, keys.count)]
                for (key, day) in try self.days(some, source) { named[key].map { days[$0] = day } }
            }
        }
        return days
    }

    private static let askedAtOnce = 250
    private static let question = """
        SELECT key, day FROM seen WHERE source = ? AND key IN (\(Array(repeating: "?", count: askedAtOnce).joined(separator: ",")))
        """

    private func days(_ keys: ArraySlice<Data>, _ source: Int64) throws -> [(Data, Day)] {
        guard let last = keys.last else { return [] }
        // Always as many, so that the question is prepared once.
        let asked = keys + Array(repeating: last, count: Self.askedAtOnce - keys.count)
        let statement = try db.cachedStatement(sql: Self.question)
        let arguments = StatementArguments([source.databaseValue] + asked.map(\.databaseValue))
        return try Row.fetchAll(statement, arguments: arguments).map {
            (try $0.decode(Data.self, atIndex: 0), Day(number: try $0.decode(Int64.self, atIndex: 1)))
        }
    }

    /// The sources that have an event of that message id, with its day.
    func events(_ messageId: String) throws -> [(source: Int64, day: Day)] {
        try Row.fetchAll(
            db, sql: "SELECT source, day FROM seen WHERE key = ?", arguments: [MessageKey.of(.event, messageId)]
        ).map { (try $0.decode(Int64.self, atIndex: 0), Day(number: try $0.decode(Int64.self, atIndex: 1))) }
    }

    /// Notes a row; one that is noted already moves to that day.
    func note(_ identity: RowIdentity, in day: Day) throws { try note([(identity, day)]) }

    /// Notes rows, in the order of the index.
    func note(_ rows: [(identity: RowIdentity, day: Day)]) throws {
        let statement = try db.cachedStatement(sql: "INSERT OR REPLACE INTO seen (key, source, day) VALUES (?, ?, ?)")
        for (key, row) in MessageKey.sorted(rows.map { (MessageKey.of($0.identity.kind, $0.identity.id), $0) }) {
            try statement.execute(arguments: [key, row.identity.source, row.day.number])
        }
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
