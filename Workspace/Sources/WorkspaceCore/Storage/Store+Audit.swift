import Foundation
package import GRDB
package import TributaryJSON

extension Store {
    /// Adds to the log, in the transaction of the change itself: there is none without the other.
    package static func log(_ db: Database, _ entry: AuditEntry, by administrator: Administrator, now: Int64) throws {
        try db.execute(
            sql: "INSERT INTO audit (at, administrator, token, action, writeKey, details) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                now, administrator.way.rawValue, administrator.token, entry.action.rawValue, entry.writeKey,
                Data(JSON.object(entry.details).encoded()),
            ])
    }

    /// Entries of the log, newest first: those of the sources that the author of the request sees. Also where the next page
    /// begins; nil at the end. A page looks at a number of entries, so it may have fewer than the limit before the end.
    /// - Throws: `Refusal` when there never was a source of that write key.
    package func audit(_ query: AuditQuery) async throws -> (entries: [JSON], next: Int64?) {
        let seen = Administrator.current.sight.sources == nil ? nil : Set(try await seenWriteKeys().values)
        if let writeKey = query.writeKey {
            guard try await wasSource(writeKey), seen?.contains(writeKey) ?? true else {
                throw try await noSource(named: writeKey)
            }
        }
        return try await pool.read { db in
            let numbers =
                "SELECT sequence FROM audit WHERE sequence < ? ORDER BY sequence DESC LIMIT \(Limits.auditEntries)"
            let looked = try Row.fetchOne(
                db, sql: "SELECT min(sequence) AS first, count(*) AS count FROM (\(numbers))",
                arguments: [query.before ?? .max])
            let first = try looked?.decode(Int64?.self, forColumn: "first") ?? nil
            let isWhole = try (looked?.decode(Int.self, forColumn: "count") ?? 0) < Limits.auditEntries
            let rows = try Row.fetchAll(db, Self.search(query, from: first ?? 0, seen: seen))
            let last = try rows.count == query.limit ? rows.last?.decode(Int64.self, forColumn: "sequence") : nil
            return (try rows.map(Self.entry), last ?? (isWhole ? nil : first))
        }
    }

    /// - Parameter seen: the write keys of the sources that are seen; nil for all entries.
    private static func search(_ query: AuditQuery, from first: Int64, seen: Set<String>?) -> SQLRequest<Row> {
        var conditions = ["sequence >= ?", "sequence < ?"]
        var arguments: StatementArguments = [first, query.before ?? .max]
        func add(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
            guard let value else { return }
            conditions.append(condition)
            arguments += [value]
        }
        if let seen {
            let list = JSON.array(seen.sorted().map(JSON.string)).description
            add("writeKey IN (SELECT value FROM json_each(?))", list)
        }
        add("writeKey = ?", query.writeKey)
        add("administrator = ?", query.way?.rawValue)
        add("token = ?", query.token)
        add("action = ?", query.action)
        add("at >= ?", query.since)
        add("at < ?", query.until)
        let who =
            "CASE WHEN token IS NULL AND administrator IN ('token', 'login') THEN 'admin token' ELSE coalesce(token, '') END"
        let text = "administrator || ' ' || \(who) || ' ' || action || ' ' || coalesce(writeKey, '')"
        for word in query.words { add("instr(lower(\(text) || ' ' || CAST(details AS TEXT)), lower(?)) > 0", word) }
        arguments += [query.limit]
        return SQLRequest(
            sql: "SELECT * FROM audit WHERE \(conditions.joined(separator: " AND ")) ORDER BY sequence DESC LIMIT ?",
            arguments: arguments)
    }

    /// Whether there is a source of that write key, or changes of one that was removed.
    private func wasSource(_ writeKey: String) async throws -> Bool {
        try await pool.read { db in
            for table in ["source", "audit"] {
                let sql = "SELECT EXISTS (SELECT 1 FROM \(table) WHERE writeKey = ?)"
                if try Bool.fetchOne(db, sql: sql, arguments: [writeKey]) == true { return true }
            }
            return false
        }
    }

    private static func entry(_ row: Row) throws -> JSON {
        [
            "sequence": .number(try row.decode(Int64.self, forColumn: "sequence")),
            "at": .time(try row.decode(Int64.self, forColumn: "at")),
            "by": .string(try row.decode(String.self, forColumn: "administrator")),
            "token": try row.decode(String?.self, forColumn: "token").map(JSON.string) ?? .null,
            "action": .string(try row.decode(String.self, forColumn: "action")),
            "writeKey": try row.decode(String?.self, forColumn: "writeKey").map(JSON.string) ?? .null,
            "details": try row.json("details"),
        ]
    }
}
