import Foundation
import GRDB
package import TributaryJSON

extension Store {
    /// An alert rule with its state.
    package struct StoredAlert: Sendable, Equatable {
        package let rule: AlertRule
        package let state: AlertState
        package let updatedAt: Int64
    }

    /// The alert rules by name.
    package func alerts() async throws -> [StoredAlert] {
        try await pool.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM alertRule ORDER BY name").compactMap(Self.alert)
        }
    }

    /// - Throws: `Refusal` with 404 when there is no such rule.
    package func alert(_ name: String) async throws -> StoredAlert {
        guard let alert = try await pool.read({ db in try Self.alert(name, db) }) else { throw Self.noAlert(name) }
        return alert
    }

    /// Makes a rule, or replaces it. The state of a rule that watches for the same stays.
    /// - Throws: `Refusal` when the rule is wrong, or there are too many.
    package func putAlert(_ name: String, _ json: JSON, now: Int64) async throws -> (alert: StoredAlert, isNew: Bool) {
        let administrator = Administrator.current
        return try await change { db in
            let old = try Self.alert(name, db)
            let rule = try AlertRule(name, json, keeping: old?.rule)
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM alertRule") ?? 0
            guard old != nil || count < Limits.alertRules else {
                throw Refusal(.conflict, "there are \(Limits.alertRules) alert rules already; remove one first")
            }
            var state = AlertState()
            if let old {
                if old.rule.kind == rule.kind { state = old.state }
                // The answer to a message on its way must not take a later message for sent.
                state.count = old.state.count
            }
            // Only the webhook of the rule would get them.
            if rule.target == .notices { state.waiting = [] }
            try db.execute(
                sql: "INSERT OR REPLACE INTO alertRule (name, body, state, updatedAt) VALUES (?, ?, ?, ?)",
                arguments: [name, Data(rule.stored.encoded()), Data(state.stored.encoded()), now])
            // The address may be a secret, so the log does not have it.
            let entry = AuditEntry(
                action: .alertRuleSet, writeKey: rule.kind.writeKey,
                details: [
                    "rule": .string(name), "kind": .string(rule.kind.name), "to": .string(rule.target.to),
                ])
            try Self.log(db, entry, by: administrator, now: now)
            return (StoredAlert(rule: rule, state: state, updatedAt: now), old == nil)
        }
    }

    /// - Throws: `Refusal` with 404 when there is no such rule.
    package func removeAlert(_ name: String, now: Int64) async throws {
        let administrator = Administrator.current
        try await change { db in
            let old = try Self.alert(name, db)
            try db.execute(sql: "DELETE FROM alertRule WHERE name = ?", arguments: [name])
            guard db.changesCount > 0 else { throw Self.noAlert(name) }
            let entry = AuditEntry(
                action: .alertRuleRemoved, writeKey: old?.rule.kind.writeKey, details: ["rule": .string(name)])
            try Self.log(db, entry, by: administrator, now: now)
        }
    }

    /// Takes what a look at a rule found. A message is kept in the same transaction, so the store neither forgets nor repeats it.
    package func look(_ reading: AlertReading, at rule: AlertRule, now: Int64) async throws {
        try await change { db in
            // It may have been changed meanwhile.
            guard let stored = try Self.alert(rule.name, db), stored.rule.kind == rule.kind else { return }
            var state = stored.state
            let message = state.look(reading, of: rule.name, at: now)
            switch (message, stored.rule.target) {
            case (let message?, .notices): try Self.addNotice(message.body(.webhook, of: rule.name), now: now, db)
            case (let message?, .webhook), (let message?, .mail): state.keep(message)
            case (nil, _): break
            }
            try Self.put(state, of: rule.name, db)
        }
    }

    /// Takes the result of an attempt to send a message.
    package func sentAlert(_ number: Int64, of rule: AlertRule, problem: String?, now: Int64) async throws {
        try await change { db in
            guard var state = try Self.alert(rule.name, db)?.state else { return }
            state.sent(number, problem: problem, at: now)
            try Self.put(state, of: rule.name, db)
        }
    }

    /// How many events of a source the workspace stored, and how many it rejected.
    package func outcomes(of source: Int64) async throws -> CountWindow.Counts {
        try await pool.read { db in
            func count(_ name: String) throws -> Int64 {
                try Int64.fetchOne(
                    db, sql: "SELECT value FROM counter WHERE source = ? AND name = ?", arguments: [source, name]) ?? 0
            }
            let rejected = try count("rejected")
            return CountWindow.Counts(bad: rejected, all: rejected + (try count("stored")))
        }
    }

    private static func put(_ state: AlertState, of name: String, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE alertRule SET state = ? WHERE name = ?", arguments: [Data(state.stored.encoded()), name])
    }

    private static func alert(_ name: String, _ db: Database) throws -> StoredAlert? {
        try Row.fetchOne(db, sql: "SELECT * FROM alertRule WHERE name = ?", arguments: [name]).flatMap(alert)
    }

    /// Nil for a rule that this version cannot read, because a later one made it.
    private static func alert(_ row: Row) throws -> StoredAlert? {
        let name = try row.decode(String.self, forColumn: "name")
        guard let rule = try? AlertRule(name, row.json("body")) else { return nil }
        return StoredAlert(
            rule: rule, state: AlertState(stored: try row.json("state")),
            updatedAt: try row.decode(Int64.self, forColumn: "updatedAt"))
    }

    package static func noAlert(_ name: String) -> Refusal { .notFound("there is no alert rule \(name)") }
}
