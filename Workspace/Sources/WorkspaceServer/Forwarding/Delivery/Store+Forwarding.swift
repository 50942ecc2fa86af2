import Foundation
package import GRDB
import TributaryJSON
package import WorkspaceCore

extension Store {
    /// The position of a destination.
    struct ForwardingStatus: Sendable {
        /// Events up to this number are finished.
        let position: Int64
        /// Events that are tried again.
        let waiting: [Undelivered]
        /// Numbers behind the position of events that wait or were given up.
        let noted: Set<Int64>
    }

    func forwarding(of destination: Int64) async throws -> ForwardingStatus {
        try await pool.read { db in
            let position =
                try Int64.fetchOne(db, sql: "SELECT position FROM destination WHERE id = ?", arguments: [destination])
                ?? .max
            let waiting = "\(Self.selection) WHERE destination = ? AND deadAt IS NULL ORDER BY sequence"
            let noted = "SELECT sequence FROM undelivered WHERE destination = ? AND sequence > ?"
            return ForwardingStatus(
                position: position,
                waiting: try Row.fetchAll(db, sql: waiting, arguments: [destination]).map(Self.undelivered),
                noted: try Int64.fetchSet(db, sql: noted, arguments: [destination, position]))
        }
    }

    /// Writes the results of some attempts in one transaction. Nothing is written for a destination that was removed.
    /// - Parameter split: how the forwarder divided the events. When the workspace took the new settings back meanwhile, the
    ///   events that they could not send are tried again.
    func save(
        _ changes: ForwardingChanges, of destination: Int64, split: FunctionRollout.Split? = nil
    ) async throws {
        // A cluster has no counts of half hours.
        let counts = settings.isShared ? [] : changes.strip
        try await change(alongside: { db in try Self.addToStrip(counts, of: destination, db) }) { db in
            try db.execute(
                sql: """
                    UPDATE destination SET position = ?, delivered = delivered + ?, skipped = skipped + ?,
                        withheld = withheld + ?, held = held + ?,
                        heldFrom = CASE WHEN heldFrom = 0 THEN ? ELSE heldFrom END, heldThrough = max(heldThrough, ?),
                        lastDeliveredAt = coalesce(?, lastDeliveredAt), newAccepted = newAccepted + ?,
                        newRefused = newRefused + ?, beforeAccepted = beforeAccepted + ?,
                        beforeRefused = beforeRefused + ? WHERE id = ?
                    """,
                arguments: [
                    changes.position, changes.delivered, changes.skipped, changes.withheld, changes.held,
                    changes.heldFrom, changes.heldThrough, changes.lastDeliveredAt, changes.tries.new.accepted,
                    changes.tries.new.refused, changes.tries.before.accepted, changes.tries.before.refused, destination,
                ])
            guard db.changesCount > 0 else { return }
            let remove = try db.cachedStatement(sql: "DELETE FROM undelivered WHERE destination = ? AND sequence = ?")
            for sequence in changes.removed { try remove.execute(arguments: [destination, sequence]) }
            let isTakenBack = try split != nil && Self.wentBack(destination, db)
            for event in changes.kept.values {
                let isForOthers = isTakenBack && event.deadAt != nil && split?.share.contains(event.partition) == true
                try Self.put(isForOthers ? event.again : event, of: destination, db)
            }
        }
    }

    /// Events that were given up, oldest first.
    func deadLetters(of destination: Int64, after: Int64, limit: Int) async throws -> [Undelivered] {
        try await pool.read { db in
            let sql = """
                \(Self.selection) WHERE destination = ? AND sequence > ? AND deadAt IS NOT NULL
                ORDER BY sequence LIMIT ?
                """
            return try Row.fetchAll(db, sql: sql, arguments: [destination, after, limit]).map(Self.undelivered)
        }
    }

    /// Turns dead letters into events that are tried again.
    /// - Parameter sequences: the dead letters; nil for all, up to the number of events that may wait.
    func retryDeadLetters(
        of destination: Destination, _ sequences: [Int64]?, writeKey: String, now: Int64
    ) async throws -> [Undelivered] {
        let administrator = Administrator.current
        let isShared = settings.isShared
        return try await change { db in
            var letters: [Undelivered] = []
            for letter in try Self.letters(of: destination.id, sequences, db) {
                try Self.put(letter.again, of: destination.id, db)
                letters.append(letter.again)
            }
            if isShared {
                // Another node forwards. It notices that the destination changed, and reads what waits.
                try db.execute(
                    sql: "UPDATE destination SET revision = revision + 1 WHERE id = ?", arguments: [destination.id])
            }
            try Self.log(db, .deadLettersRetried, letters.count, destination, writeKey, administrator, now)
            return letters
        }
    }

    /// Deletes all dead letters of a destination.
    func discardDeadLetters(of destination: Destination, writeKey: String, now: Int64) async throws -> Int {
        let administrator = Administrator.current
        return try await change { db in
            try db.execute(
                sql: "DELETE FROM undelivered WHERE destination = ? AND deadAt IS NOT NULL", arguments: [destination.id]
            )
            let count = db.changesCount
            try Self.log(db, .deadLettersDiscarded, count, destination, writeKey, administrator, now)
            return count
        }
    }

    /// Deletes dead letters whose events are no longer stored.
    func pruneDeadLetters(before time: Int64) async throws {
        try await change { db in
            try db.execute(sql: "DELETE FROM undelivered WHERE deadAt < ?", arguments: [time])
        }
    }

    /// Events of a range that wait or were given up.
    static func undelivered(
        of destination: Int64, in numbers: ClosedRange<Int64>, _ db: Database
    ) throws -> [Undelivered] {
        let sql = "\(selection) WHERE destination = ? AND sequence BETWEEN ? AND ?"
        return try Row.fetchAll(db, sql: sql, arguments: [destination, numbers.lowerBound, numbers.upperBound])
            .map(undelivered)
    }

    /// Events that were given up since then, oldest first, up to the number of events that may wait.
    static func letters(of destination: Int64, since time: Int64, _ db: Database) throws -> [Undelivered] {
        let sql = "\(Self.selection) WHERE destination = ? AND deadAt >= ? ORDER BY sequence LIMIT ?"
        return try Row.fetchAll(db, sql: sql, arguments: [destination, time, Limits.undelivered]).map(undelivered)
    }

    private static func letters(of destination: Int64, _ sequences: [Int64]?, _ db: Database) throws -> [Undelivered] {
        guard let sequences else {
            let sql = """
                \(Self.selection) WHERE destination = ? AND deadAt IS NOT NULL ORDER BY sequence LIMIT ?
                """
            return try Row.fetchAll(db, sql: sql, arguments: [destination, Limits.undelivered]).map(undelivered)
        }
        let sql = "\(Self.selection) WHERE destination = ? AND sequence = ? AND deadAt IS NOT NULL"
        return try Set(sequences).sorted().compactMap { sequence in
            try Row.fetchOne(db, sql: sql, arguments: [destination, sequence]).map(undelivered)
        }
    }

    static func put(_ event: Undelivered, of destination: Int64, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO undelivered (destination, sequence, messageId, lane, attempts, since, dueAt, reason, deadAt)
                VALUES (?, ?, \(WholeText.parameter), ?, ?, ?, ?, ?, ?)
                ON CONFLICT (destination, sequence) DO UPDATE SET
                    attempts = excluded.attempts, since = excluded.since, dueAt = excluded.dueAt,
                    reason = excluded.reason, deadAt = excluded.deadAt
                """)
        try statement.execute(arguments: [
            destination, event.sequence, WholeText.argument(event.messageId), event.partition.digest, event.attempts,
            event.since, event.dueAt, event.reason, event.deadAt,
        ])
    }

    private static let selection = """
        SELECT sequence, \(WholeText.columns(["messageId"], of: "undelivered")), lane, attempts, since, dueAt, reason, deadAt
        FROM undelivered
        """

    private static func undelivered(_ row: Row) throws -> Undelivered {
        Undelivered(
            sequence: try row.decode(forColumn: "sequence"), messageId: try row.knownText("messageId"),
            partition: ForwardedEvent.Partition(digest: try row.decode(forColumn: "lane")),
            attempts: try row.decode(forColumn: "attempts"), since: try row.decode(forColumn: "since"),
            dueAt: try row.decode(forColumn: "dueAt"), reason: try row.decode(forColumn: "reason"),
            deadAt: try row.decode(forColumn: "deadAt"))
    }

    package static func log(
        _ db: Database, _ action: AuditEntry.Action, _ count: Int, _ destination: Destination, _ writeKey: String,
        _ administrator: Administrator, _ now: Int64
    ) throws {
        let entry = AuditEntry(
            action: action, writeKey: writeKey,
            details: ["destination": .string(destination.name), "events": .number(count)])
        try log(db, entry, by: administrator, now: now)
    }
}
