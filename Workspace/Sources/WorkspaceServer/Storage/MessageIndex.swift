import Foundation
import GRDB

/// The index of messages that are there already, in the database of the workspace.
struct MessageIndex {
    let db: Database

    /// The day in which a row of that identity is; nil when there is none.
    func day(of identity: RowIdentity) throws -> Day? {
        let statement = try db.cachedStatement(sql: "SELECT day FROM seen WHERE key = ? AND source = ?")
        return try Int64.fetchOne(statement, arguments: [identity.key.data, identity.source]).map(Day.init(number:))
    }

    /// The days in which rows of these identities are; what is nowhere is left out. Many are asked for at once, and in the
    /// order of the index, so that a page of it is looked at once.
    func days(of identities: Set<RowIdentity>) throws -> [RowIdentity: Day] {
        var days: [RowIdentity: Day] = [:]
        for (source, identities) in Dictionary(grouping: identities, by: \.source) {
            let sorted = identities.sorted { $0.key < $1.key }
            for start in stride(from: 0, to: sorted.count, by: Self.askedAtOnce) {
                try find(sorted[start..<min(start + Self.askedAtOnce, sorted.count)], source) { days[$0] = $1 }
            }
        }
        return days
    }

    private static let askedAtOnce = 250
    private static let question = """
        SELECT key, day FROM seen WHERE source = ? AND key IN (\(Array(repeating: "?", count: askedAtOnce).joined(separator: ",")))
        """

    /// Tells what the index has of some identities of a source, which stand in its order.
    private func find(
        _ identities: ArraySlice<RowIdentity>, _ source: Int64, _ found: (RowIdentity, Day) -> Void
    ) throws {
        guard let last = identities.last else { return }
        let statement = try BoundStatement(db, sql: Self.question)
        try statement.bind(source, at: 1)
        for offset in 0..<Self.askedAtOnce {
            // Always as many, so that the question is prepared once.
            let identity = offset < identities.count ? identities[identities.startIndex + offset] : last
            try identity.key.withBytes { try statement.bind($0, at: Int32(2 + offset)) }
        }
        try statement.run { row in
            guard let key = MessageKey(row.bytes(0)), let identity = Self.identity(of: key, in: identities) else {
                return
            }
            found(identity, Day(number: row.int64(1)))
        }
    }

    /// The identity of that key among some that stand in the index's order.
    private static func identity(of key: MessageKey, in identities: ArraySlice<RowIdentity>) -> RowIdentity? {
        var (low, high) = (identities.startIndex, identities.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if identities[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low < identities.endIndex && identities[low].key == key ? identities[low] : nil
    }

    /// The sources that have an event of that message id, with its day.
    func events(_ messageId: String) throws -> [(source: Int64, day: Day)] {
        try Row.fetchAll(
            db, sql: "SELECT source, day FROM seen WHERE key = ?", arguments: [MessageKey(.event, messageId).data]
        ).map { (try $0.decode(Int64.self, atIndex: 0), Day(number: try $0.decode(Int64.self, atIndex: 1))) }
    }

    /// Whether there are messages of that day. Looks through the whole index when there are none.
    func hasMessages(of day: Day) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM seen WHERE day = ?)", arguments: [day.number]) ?? false
    }

    /// Notes a row; one that is noted already moves to that day.
    func note(_ identity: RowIdentity, in day: Day) throws { try note([(identity, day)]) }

    /// Notes rows, in the order of the index.
    func note(_ rows: [(identity: RowIdentity, day: Day)]) throws {
        let statement = try BoundStatement(db, sql: "INSERT OR REPLACE INTO seen (key, source, day) VALUES (?, ?, ?)")
        for row in rows.sorted(by: { $0.identity.key < $1.identity.key }) {
            try row.identity.key.withBytes { try statement.bind($0, at: 1) }
            try statement.bind(row.identity.source, at: 2)
            try statement.bind(row.day.number, at: 3)
            try statement.run()
        }
    }

    /// Deletes messages of days before one, in a part of the index; an index by day would cost more than it saves.
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
