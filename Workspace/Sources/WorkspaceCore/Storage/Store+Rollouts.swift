package import Foundation
package import GRDB
package import TributaryJSON

extension Store {
    /// The newest roll-out with a plan of each source and kind.
    package func rollouts() async throws -> [RolloutRecord] {
        try await pool.read { db in try Self.rollouts(db) }
    }

    package static func rollouts(_ db: Database) throws -> [RolloutRecord] {
        try RolloutRecord.fetchAll(db, sql: "SELECT * FROM rollout ORDER BY source, kind")
    }

    /// The newest roll-out with a plan of a source; nil when it had none of that kind.
    package func rollout(_ kind: RolloutKind, of source: Int64) async throws -> RolloutRecord? {
        try await pool.read { db in try Self.rollout(kind, of: source, db) }
    }

    package static func rollout(_ kind: RolloutKind, of source: Int64, _ db: Database) throws -> RolloutRecord? {
        try RolloutRecord.fetchOne(
            db, sql: "SELECT * FROM rollout WHERE source = ? AND kind = ?", arguments: [source, kind.rawValue])
    }

    /// Stores a roll-out. The samples of one that is over are deleted.
    package static func put(_ record: RolloutRecord, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO rollout (source, kind, version, state, body) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                record.source, record.kind.rawValue, record.version, record.state.rawValue,
                Data(record.json.encoded()),
            ])
        if !record.isOpen { try removeSamples(record.kind, of: record.source, db) }
    }

    package static func removeSamples(_ kind: RolloutKind, of source: Int64, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM rolloutDevice WHERE source = ? AND kind = ?", arguments: [source, kind.rawValue])
    }

    /// Ends an open roll-out, because an operator deploys, rolls back or switches off by hand.
    static func endRollout(_ kind: RolloutKind, of source: Int64, because reason: String, _ db: Database) throws {
        guard var record = try rollout(kind, of: source, db), record.isOpen else { return }
        record.end(because: reason)
        try put(record, db)
    }

    /// All devices get other live plugins, which change the events that filters see. So earlier reports about filters
    /// cannot be compared with new ones.
    static func compareFiltersAgain(of source: Int64, now: Int64, _ db: Database) throws {
        guard var record = try rollout(.filters, of: source, db), record.isOpen else { return }
        record.compareAgain(now: now)
        try removeSamples(.filters, of: source, db)
        try put(record, db)
    }

    /// Notes how long the stage has lasted and why it goes on, unless the roll-out was changed meanwhile.
    /// - Parameter notice: a message to operators.
    package func note(_ record: RolloutRecord, notice: JSON?, now: Int64) async throws {
        try await change { db in
            guard let stored = try Self.rollout(record.kind, of: record.source, db), stored.isSameStep(as: record)
            else { return }
            try Self.put(record, db)
            if let notice { try Self.addNotice(notice, now: now, db) }
        }
    }

    /// The samples of all open roll-outs, read as far as they are not there.
    package func samples(_ known: RolloutSamples, of records: [RolloutRecord]) async throws -> RolloutSamples {
        try await pool.read { db in
            var samples = known
            try samples.follow(records, db)
            return samples
        }
    }

    // MARK: Messages to operators

    /// Adds a message for the operators' webhook, in the transaction of what it is about.
    static func addNotice(_ body: JSON, now: Int64, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO notice (at, body) VALUES (?, ?)", arguments: [now, Data(body.encoded())])
        try db.execute(
            sql: "DELETE FROM notice WHERE sequence <= (SELECT max(sequence) FROM notice) - ?",
            arguments: [Limits.notices])
    }

    /// The oldest message that was not delivered.
    package func oldestNotice() async throws -> (sequence: Int64, at: Int64, body: Data)? {
        try await pool.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM notice ORDER BY sequence LIMIT 1").map { row in
                (
                    try row.decode(Int64.self, forColumn: "sequence"), try row.decode(Int64.self, forColumn: "at"),
                    try row.decode(Data.self, forColumn: "body")
                )
            }
        }
    }

    package func removeNotice(_ sequence: Int64) async throws {
        try await change { db in try db.execute(sql: "DELETE FROM notice WHERE sequence = ?", arguments: [sequence])
        }
    }
}

extension RolloutRecord: FetchableRecord {
    fileprivate var json: JSON {
        .object(withoutNulls: [
            "plan": plan.json, "startedAt": .number(startedAt), "reason": .string(reason),
            "stage": .number(progress.stage), "held": .number(progress.held), "lookedAt": .number(progress.lookedAt),
            "isDoubtful": .bool(isDoubtful), "comparison": .number(comparison), "isAlone": .bool(isAlone),
            "previous": .number(previous), "isShadow": progress.isShadow ? true : .null,
            "announced": announced.isEmpty ? .null : announced.json,
        ])
    }

    package init(row: Row) throws {
        let body = try row.json("body")
        func number(_ name: String) -> Int64 { body[name]?.numberValue?.int64 ?? 0 }
        self.init(
            source: try row.decode(forColumn: "source"),
            kind: RolloutKind(rawValue: try row.decode(forColumn: "kind")) ?? .livePlugins,
            version: try row.decode(forColumn: "version"), previous: body["previous"]?.numberValue?.int64,
            plan: try RolloutPlan(body["plan"] ?? .null), startedAt: number("startedAt"),
            state: State(rawValue: try row.decode(forColumn: "state")) ?? .ended,
            progress: RolloutProgress(
                stage: Int(number("stage")), held: number("held"), lookedAt: number("lookedAt"),
                isShadow: body["isShadow"] == true),
            reason: body["reason"]?.stringValue ?? "", isDoubtful: body["isDoubtful"] == true,
            comparison: Int(number("comparison")), isAlone: body["isAlone"] == true,
            announced: try AnnouncedDifference.list(body["announced"]?.elements?.compactMap(\.stringValue) ?? []))
    }
}
