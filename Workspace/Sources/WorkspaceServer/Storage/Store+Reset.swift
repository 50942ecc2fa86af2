import GRDB
import TributaryJSON

extension Store {
    /// Deletes everything that clients of a source sent. Numbers go on, so that listeners notice new events.
    /// - Returns: how many events there were; nil when there is no such source.
    func deleteEvents(writeKey: String, now: Int64) async throws -> Int? {
        let administrator = Administrator.current
        let id = try await pool.read { db in
            try Int64.fetchOne(db, sql: "SELECT id FROM source WHERE writeKey = ?", arguments: [writeKey])
        }
        guard let id else { return nil }
        let count = try await storage.removeAll(of: id, overwriting: false) { _ in }
        try await change(alongside: { db in
            // This node's counts, and its index of messages.
            try self.messages.noteForgotten(id, db)
            try db.execute(sql: "DELETE FROM counter WHERE source = ?", arguments: [id])
        }) { db in
            try db.execute(
                sql: "DELETE FROM undelivered WHERE destination IN (SELECT id FROM destination WHERE source = ?)",
                arguments: [id])
            let entry = AuditEntry(
                action: .eventsDeleted, writeKey: writeKey, details: ["events": .number(JSONNumber(count))])
            try Self.log(db, entry, by: administrator, now: now)
        }
        try await messages.forget(id, in: pool)
        return count
    }
}
