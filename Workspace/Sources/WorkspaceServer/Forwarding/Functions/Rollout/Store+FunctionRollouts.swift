import Foundation
import GRDB
import TributaryJSON
import WorkspaceCore

/// A destination function with its newest roll-out.
struct RolledOutFunction: Sendable, FetchableRecord {
    let destination: Destination
    let rollout: FunctionRollout
    let tries: FunctionTries

    /// - Throws: when the destination never had a roll-out.
    init(row: Row) throws {
        destination = try Destination(row: row)
        tries = try FunctionTries(row)
        guard let rollout = try FunctionRollout(row) else { throw DatabaseError(resultCode: .SQLITE_NOTFOUND) }
        self.rollout = rollout
    }
}

extension Store {
    /// Destination functions with an open roll-out.
    func openFunctionRollouts() async throws -> [RolledOutFunction] {
        try await pool.read { db in
            try RolledOutFunction.fetchAll(db, sql: "SELECT * FROM destination WHERE rollout <> ''")
        }.filter(\.rollout.isOpen)
    }

    /// The newest roll-out of a destination function with its attempts; nil when there was none.
    func functionRollout(of destination: Int64) async throws -> RolledOutFunction? {
        try await pool.read { db in try Self.rolledOut(destination, db) }
    }

    /// Notes how long the stage lasts and why it lasts, unless the roll-out was changed meanwhile.
    func note(_ rollout: FunctionRollout, of destination: Int64) async throws {
        try await change { db in
            guard try Self.rolledOut(destination, db)?.rollout.isSameStep(as: rollout) == true else { return }
            try Self.put(rollout, of: destination, db)
        }
    }

    /// Stops a roll-out for now, or lets it go on.
    /// - Throws: `Refusal` when it is not in the state `before`.
    func changeRollout(
        of destination: Destination, _ action: AuditEntry.Action, from before: FunctionRollout.State, writeKey: String,
        now: Int64, _ body: @escaping @Sendable (inout FunctionRollout) -> Void
    ) async throws {
        let administrator = Administrator.current
        try await change { db in
            guard var rollout = try Self.rolledOut(destination.id, db)?.rollout, rollout.isOpen else {
                throw Refusal.noRollout(of: destination)
            }
            guard rollout.state == before else {
                throw Refusal(.conflict, "the roll-out is \(rollout.state.rawValue)")
            }
            body(&rollout)
            try Self.put(rollout, of: destination.id, db)
            let entry = AuditEntry(action: action, writeKey: writeKey, details: rollout.details(of: destination))
            try Self.log(db, entry, by: administrator, now: now)
        }
    }

    /// Carries out a decision, in one transaction: settings, versions, roll-out, audit log. When it goes back, events that the
    /// new settings could not send are tried again.
    /// - Parameters:
    ///   - one: what it was decided about.
    ///   - reason: that of an operator who overrides the workspace.
    /// - Throws: `Refusal` when the roll-out was changed meanwhile.
    func carryOut(
        _ decision: FunctionRolloutDecision, of one: RolledOutFunction, because reason: String?, writeKey: String,
        now: Int64
    ) async throws -> FunctionRollout {
        let administrator = Administrator.current
        var next = one.rollout
        next.carryOut(decision, because: reason)
        return try await change { [next] db in
            guard let stored = try Self.rolledOut(one.destination.id, db), stored.rollout.isSameStep(as: one.rollout)
            else { throw Refusal(.conflict, "the roll-out was changed meanwhile") }
            let action: AuditEntry.Action
            switch decision {
            case .wait, .finish: action = .rolloutFinished
            case .advance:
                action = .functionWidened
                try db.execute(
                    sql: "UPDATE destination SET newAccepted = 0, newRefused = 0 WHERE id = ?",
                    arguments: [one.destination.id])
            case .rollBack:
                action = .functionRolledBack
                try Self.goBack(stored, by: administrator, now: now, db)
            }
            try Self.put(next, of: one.destination.id, db)
            var details = next.details(of: one.destination)
            details["reason"] = .string(next.reason)
            try Self.log(
                db, AuditEntry(action: action, writeKey: writeKey, details: details), by: administrator, now: now)
            return next
        }
    }

    /// Begins a roll-out of settings that were stored in the same transaction.
    static func beginRollout(
        _ plan: FunctionRolloutPlan, of destination: Destination, replacing old: Destination?, now: Int64,
        _ db: Database
    ) throws {
        guard let old, destination.kind == .function else {
            throw Refusal.invalid("rollout is for other settings of a destination function that is there already")
        }
        let versions = try FunctionVersion.all(of: destination.functionOwner, limit: 2, db)
        guard old.settings != destination.settings, versions.count == 2 else {
            throw Refusal.invalid("there is nothing to roll out: the settings of the function are the same")
        }
        let rollout = FunctionRollout(
            version: versions[0].version, previous: versions[1].version, before: old.settings, plan: plan, now: now)
        try put(rollout, of: destination.id, db)
        try db.execute(
            sql: """
                UPDATE destination SET newAccepted = 0, newRefused = 0, beforeAccepted = 0, beforeRefused = 0 WHERE id = ?
                """,
            arguments: [destination.id])
    }

    private static func rolledOut(_ destination: Int64, _ db: Database) throws -> RolledOutFunction? {
        try RolledOutFunction.fetchOne(
            db, sql: "SELECT * FROM destination WHERE id = ? AND rollout <> ''", arguments: [destination])
    }

    private static func put(_ rollout: FunctionRollout, of destination: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE destination SET rollout = ?, settingsBefore = ? WHERE id = ?",
            arguments: [
                String(decoding: rollout.json.encoded(), as: UTF8.self),
                rollout.isOpen ? String(decoding: JSON.object(rollout.before).encoded(), as: UTF8.self) : "",
                destination,
            ])
    }

    /// Forgets a roll-out that is over. It says nothing about settings that were stored later.
    static func forgetRollout(of destination: Int64, _ db: Database) throws {
        try db.execute(sql: "UPDATE destination SET rollout = '' WHERE id = ?", arguments: [destination])
    }

    /// Stores the settings before as the newest version, and tries the events again that were given up meanwhile.
    private static func goBack(
        _ one: RolledOutFunction, by administrator: Administrator, now: Int64, _ db: Database
    ) throws {
        guard let split = one.rollout.split else { return }
        try db.execute(
            sql: "UPDATE destination SET settings = ?, updatedAt = ?, revision = revision + 1 WHERE id = ?",
            arguments: [Data(JSON.object(split.before).encoded()), now, one.destination.id])
        try FunctionVersion.note(
            split.before, of: one.destination.functionOwner,
            replacing: (one.destination.settings, one.destination.updatedAt), by: administrator, now: now, db)
        for letter in try letters(of: one.destination.id, since: one.rollout.startedAt, db)
        where split.share.contains(letter.partition) { try put(letter.again, of: one.destination.id, db) }
    }

    /// Whether the newest roll-out of a destination ended with the settings before it.
    static func wentBack(_ destination: Int64, _ db: Database) throws -> Bool {
        let state = try rolledOut(destination, db)?.rollout.state
        return state == .rolledBack || state == .ended
    }
}

extension FunctionRollout {
    /// The newest roll-out in a row of a destination; nil when there was none.
    init?(_ row: Row) throws {
        let stored = try row.decode(String.self, forColumn: "rollout")
        guard !stored.isEmpty else { return nil }
        let before = try row.decode(String.self, forColumn: "settingsBefore")
        self.init(try JSON.parse(stored), before: before.isEmpty ? [:] : try JSON.parse(before).objectValue ?? [:])
    }

    /// For the audit log.
    func details(of destination: Destination) -> JSONObject {
        [
            "destination": .string(destination.name), "version": .number(version), "percentage": .number(percentage),
        ]
    }
}

extension FunctionTries {
    fileprivate init(_ row: Row) throws {
        new = Count(
            accepted: try row.decode(forColumn: "newAccepted"), refused: try row.decode(forColumn: "newRefused"))
        before = Count(
            accepted: try row.decode(forColumn: "beforeAccepted"), refused: try row.decode(forColumn: "beforeRefused"))
    }
}

extension Refusal {
    /// The answer to a request that changes a roll-out that is not open.
    static func noRollout(of destination: Destination) -> Refusal {
        Refusal(.conflict, "no roll-out of the destination \(destination.name) is open")
    }
}
