import Foundation
import GRDB

extension SQLiteDays {
    /// First all days are asked what the person was called before logging in; then each day is gone through.
    func erase(_ person: Person) async throws -> Erased {
        var person = person
        for day in days() {
            let ids = try await read(day) { [userId = person.userId] db in
                let sql = """
                    SELECT DISTINCT CAST(anonymousId AS BLOB) FROM event
                    WHERE userId = \(WholeText.parameter) AND anonymousId IS NOT NULL
                    """
                return try Data.fetchAll(db, sql: sql, arguments: [WholeText.argument(userId)])
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
        let erased = try DayOverwriting(pool: pool).delete { try DayErasing(db: $0, person: person).run() }
        files.setExtent(try pool.read(DayExtent.init), of: day)
        forgetFigures(of: day)
        return erased
    }
}

/// Finds and deletes a person's rows in the database of a day.
private struct DayErasing {
    let db: Database
    let person: Person

    func run() throws -> Erased {
        let events = try subjects(
            in: "event", ids: ["messageId", "userId", "anonymousId"],
            or: "userId IS NULL OR userId = CAST(?1 AS TEXT)")
        let traces = try subjects(in: "trace", ids: ["messageId"])
        let signals = try subjects(in: "signal", ids: ["messageId", "anonymousId"], or: "anonymousId IS NOT NULL")
        let rejected = try subjects(in: "rejected", ids: ["messageId"])
        var erased = Erased(rejected: rejected.count, signals: signals.count)
        erased.events = events.count
        erased.traces = traces.count
        var counts: [Int64: Int] = [:]
        for (table, rows) in [("event", events), ("trace", traces), ("signal", signals), ("rejected", rejected)] {
            let statement = try db.cachedStatement(sql: "DELETE FROM \(table) WHERE sequence = ?")
            for row in rows {
                try statement.execute(arguments: [row.sequence])
                counts[row.source, default: 0] += 1
            }
        }
        let statement = try db.cachedStatement(
            sql: "DELETE FROM trace WHERE messageId = \(WholeText.parameter) AND source = ?")
        for event in events {
            try statement.execute(arguments: [WholeText.argument(event.messageId), event.source])
            erased.traces += db.changesCount
            counts[event.source, default: 0] += db.changesCount
        }
        for (source, count) in counts { try DaySchema.noteErased(count, of: source, db) }
        return erased
    }

    private struct Subject {
        let sequence: Int64
        let source: Int64
        let messageId: String
    }

    /// Rows of the person. The database only leaves out those that cannot be: a body names the id as it is, or with
    /// escapes, which begin with a backslash.
    /// - Parameter condition: what else is looked at; `?1` is the id as bytes.
    private func subjects(in table: String, ids: [String], or condition: String = "FALSE") throws -> [Subject] {
        let sql = """
            SELECT sequence, source, body, \(WholeText.columns(ids, of: table)) FROM \(table)
            WHERE \(condition) OR instr(body, ?1) > 0 OR instr(body, x'5C') > 0
            """
        let rows = try Row.fetchCursor(db, sql: sql, arguments: [person.bytes])
        var subjects: [Subject] = []
        while let row = try rows.next() {
            guard try isSubject(row) else { continue }
            subjects.append(
                Subject(
                    sequence: try row.decode(Int64.self, forColumn: "sequence"),
                    source: try row.decode(Int64.self, forColumn: "source"),
                    messageId: try row.wholeText("messageId") ?? ""))
        }
        return subjects
    }

    private func isSubject(_ row: Row) throws -> Bool {
        let userId: Data? = row.hasColumn("userId") ? try row.decode(Data?.self, forColumn: "userId") : nil
        if userId == person.bytes { return true }
        if userId == nil, row.hasColumn("anonymousId"),
            person.isAnonymous(try row.decode(Data?.self, forColumn: "anonymousId"))
        {
            return true
        }
        return person.isSubject(of: [UInt8](try row.decode(Data.self, forColumn: "body")))
    }
}
