import GRDB
import TributaryJSON
import WorkspaceCore

/// Some of the events that a destination did not get because they say nothing about consent.
package struct HeldEvents: Sendable {
    /// In the order of the store.
    var events: [Undelivered] = []
    /// Where to go on; nil when these are all.
    var next: Int64?
}

extension ForwardableEvents {
    /// The first events that are held. Events that consent or filters exclude by now are not among them.
    func held(of destination: Destination) async throws -> HeldEvents {
        let (from, through) = try await store.heldRange(of: destination.id)
        var held = HeldEvents()
        guard from > 0 else { return held }
        var after = from - 1
        while after < through {
            try Task.checkCancellation()
            var query = query(after: after, before: through + 1)
            query.limit = Limits.objectPage
            let rows = try await store.storage.rows(query)
            let rules = await rules()
            for row in rows {
                guard held.events.count < Limits.undelivered else {
                    held.next = row.sequence
                    return held
                }
                if let event = unsaid(row, rules) {
                    held.events.append(
                        Undelivered(sequence: event.sequence, messageId: event.messageId, partition: event.partition))
                }
                after = row.sequence
            }
            if rows.count < query.limit { return held }
        }
        return held
    }

    private func unsaid(_ row: StoredRow, _ rules: ForwardingRules) -> ForwardedEvent? {
        do {
            guard let event = try JSON.parse(row.text)["event"], EventConsent(of: event).preferences == nil,
                case .forward(let forwarded) = try rules.decide(row)
            else { return nil }
            return forwarded
        } catch {
            logUnreadable(row, error)
            return nil
        }
    }
}

extension Store {
    /// The numbers of the first and the last event that is held; 0 when none is.
    func heldRange(of destination: Int64) async throws -> (from: Int64, through: Int64) {
        try await pool.read { db in
            let sql = "SELECT heldFrom, heldThrough FROM destination WHERE id = ?"
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [destination]) else { return (0, 0) }
            return (
                try row.decode(Int64.self, forColumn: "heldFrom"), try row.decode(Int64.self, forColumn: "heldThrough")
            )
        }
    }

    /// Turns held events into events that are to be sent.
    package func release(_ held: HeldEvents, of destination: Destination, writeKey: String, now: Int64) async throws {
        let administrator = Administrator.current
        let isShared = settings.isShared
        try await change { db in
            for event in held.events { try Self.put(event, of: destination.id, db) }
            try db.execute(
                sql: """
                    UPDATE destination SET held = CASE WHEN ?1 = 0 THEN 0 ELSE max(0, held - ?2) END, heldFrom = ?1,
                        heldThrough = CASE WHEN ?1 = 0 THEN 0 ELSE heldThrough END, revision = revision + ?3 WHERE id = ?4
                    """,
                arguments: [held.next ?? 0, held.events.count, isShared ? 1 : 0, destination.id])
            try Self.log(db, .heldReleased, held.events.count, destination, writeKey, administrator, now)
        }
    }
}
