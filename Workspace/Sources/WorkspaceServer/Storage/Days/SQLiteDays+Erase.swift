import Foundation
import GRDB

extension SQLiteDays {
    /// First all days are asked what the person was called before logging in; then each day is gone through.
    func erase(_ person: Person) async throws -> Erased {
        var person = person
        for day in days() {
            let ids = try await read(day) { [userId = person.userId] db in
                try String.fetchAll(
                    db, sql: "SELECT DISTINCT anonymousId FROM event WHERE userId = ? AND anonymousId IS NOT NULL",
                    arguments: [userId])
            }
            person.anonymousIds.formUnion(ids ?? [])
        }
        var erased = Erased()
        for day in days() {
            erased = erased + (try await change { [person] in try self.erase(person, from: day) })
        }
        return erased
    }

    private func erase(_ person: Person, from day: Day) throws -> Erased {
        guard let pool = try files.pool(for: day) else { return Erased() }
        let erased = try pool.writeWithoutTransaction { db in
            // What is freed is written over at once, in the file as well as in its log.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            defer { try? db.execute(sql: "PRAGMA secure_delete = OFF") }
            var erased = Erased()
            try db.inTransaction {
                erased = try DayErasing(db: db, person: person).run()
                return .commit
            }
            if erased != Erased() { try Self.discard(db) }
            return erased
        }
        files.setExtent(try pool.read(DayExtent.init), of: day)
        forgetFigures(of: day)
        return erased
    }

    /// Writes the file anew, and empties the log, where the old pages are still to be read.
    private static func discard(_ db: Database) throws {
        try db.execute(sql: "VACUUM")
        let isBusy = try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") ?? 1
        guard isBusy == 0 else {
            throw DatabaseError(resultCode: .SQLITE_BUSY, message: "the log of a day is being read; erase again")
        }
    }
}

/// Finds and deletes a person's rows in the database of a day.
private struct DayErasing {
    let db: Database
    let person: Person

    func run() throws -> Erased {
        let events = try subjects(
            "SELECT sequence, source, messageId, body, userId, anonymousId FROM event",
            or: "userId IS NULL OR userId = ?2")
        let traces = try subjects("SELECT sequence, source, messageId, body FROM trace")
        let signals = try subjects(
            "SELECT sequence, source, messageId, body, anonymousId FROM signal", or: "anonymousId IS NOT NULL")
        let rejected = try subjects("SELECT sequence, source, identity AS messageId, body FROM rejected")
        var erased = Erased(rejected: rejected.count, signals: signals.count)
        erased.events = events.count
        erased.traces = traces.count
        for (table, rows) in [("event", events), ("trace", traces), ("signal", signals), ("rejected", rejected)] {
            let statement = try db.cachedStatement(sql: "DELETE FROM \(table) WHERE sequence = ?")
            for row in rows { try statement.execute(arguments: [row.sequence]) }
        }
        let statement = try db.cachedStatement(sql: "DELETE FROM trace WHERE messageId = ? AND source = ?")
        for event in events {
            try statement.execute(arguments: [event.messageId, event.source])
            erased.traces += db.changesCount
        }
        return erased
    }

    private struct Subject {
        let sequence: Int64
        let source: Int64
        let messageId: String
    }

    /// Rows of the person. The database only leaves out those that cannot be: a body names the id as it is, or with
    /// escapes, which begin with a backslash.
    /// - Parameter condition: what else is looked at; `?2` is the id as a text.
    private func subjects(_ selection: String, or condition: String = "FALSE") throws -> [Subject] {
        let sql = "\(selection) WHERE \(condition) OR ?2 IS NULL OR instr(body, ?1) > 0 OR instr(body, x'5C') > 0"
        let rows = try Row.fetchCursor(db, sql: sql, arguments: [person.bytes, person.userId])
        var subjects: [Subject] = []
        while let row = try rows.next() {
            guard try isSubject(row) else { continue }
            subjects.append(
                Subject(
                    sequence: try row.decode(Int64.self, forColumn: "sequence"),
                    source: try row.decode(Int64.self, forColumn: "source"),
                    messageId: try row.decode(String.self, forColumn: "messageId")))
        }
        return subjects
    }

    private func isSubject(_ row: Row) throws -> Bool {
        let userId: String? = row.hasColumn("userId") ? try row.decode(String?.self, forColumn: "userId") : nil
        if userId == person.userId { return true }
        if userId == nil, row.hasColumn("anonymousId"),
            person.isAnonymous(try row.decode(String?.self, forColumn: "anonymousId"))
        {
            return true
        }
        return person.isSubject(of: [UInt8](try row.decode(Data.self, forColumn: "body")))
    }
}
