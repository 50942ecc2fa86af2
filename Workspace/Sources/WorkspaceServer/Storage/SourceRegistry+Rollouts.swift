import Crypto
import Foundation
import GRDB
import HTTPTypes
import TributaryJSON

extension SourceRegistry {
    /// Carries out what was decided about a roll-out, in one transaction: bundle, roll-out, audit log, message to operators.
    /// - Parameters:
    ///   - record: the roll-out that it was decided about.
    ///   - reason: the reason of somebody who overrides the workspace.
    /// - Returns: the message to operators.
    /// - Throws: `APIError` when the roll-out was changed meanwhile.
    func carryOut(
        _ decision: RolloutDecision, of record: RolloutRecord, because reason: String?, in writeKey: String
    ) async throws -> JSON {
        var next = record
        next.carryOut(decision, because: reason)
        let notice = next.notice(decision.verb, of: writeKey)
        let now = now()
        _ = try await change(writeKey) { [next] db, source in
            try Store.checkIsCurrent(record, in: source, db)
            let entry = try Store.apply(decision, next, source, now, db)
            try Store.put(next, db)
            try Store.addNotice(notice, now: now, db)
            return entry
        }
        return notice
    }

    /// Stops a roll-out for now.
    func pauseRollout(of writeKey: String) async throws -> Source {
        try await changeRollout(of: writeKey, .rolloutPaused, from: .running) { $0.pause() }
    }

    /// Lets a paused roll-out go on.
    func resumeRollout(of writeKey: String) async throws -> Source {
        let now = now()
        return try await changeRollout(of: writeKey, .rolloutResumed, from: .paused) { $0.resume(at: now) }
    }

    private func changeRollout(
        of writeKey: String, _ action: AuditEntry.Action, from state: RolloutRecord.State,
        _ body: @escaping @Sendable (inout RolloutRecord) -> Void
    ) async throws -> Source {
        try await change(writeKey) { db, source in
            guard var record = try Store.rollout(of: source.id, db), record.isOpen else {
                throw APIError.noRollout(writeKey)
            }
            guard record.state == state else { throw APIError(.conflict, "the roll-out is \(record.state.rawValue)") }
            body(&record)
            try Store.put(record, db)
            return AuditEntry(action: action, details: ["version": .number(JSONNumber(record.version))])
        }
    }
}

extension Store {
    fileprivate static func checkIsCurrent(_ record: RolloutRecord, in source: Source, _ db: Database) throws {
        let stored = try rollout(of: source.id, db)
        guard let stored, stored.version == record.version, stored.state == record.state,
            stored.progress.stage == record.progress.stage, source.bundle?.version == record.version
        else { throw APIError(.conflict, "the roll-out was changed meanwhile") }
    }

    /// Changes the bundles.
    fileprivate static func apply(
        _ decision: RolloutDecision, _ record: RolloutRecord, _ source: Source, _ now: Int64, _ db: Database
    ) throws -> AuditEntry {
        var details: JSONObject = ["version": .number(JSONNumber(record.version)), "reason": .string(record.reason)]
        switch decision {
        case .wait, .finish: return AuditEntry(action: .rolloutFinished, details: details)
        case .advance(let percentage):
            try setPercentage(db, source: source.id, version: record.version, percentage: percentage)
            details["percentage"] = .number(JSONNumber(percentage))
            return AuditEntry(action: .pluginsWidened, details: details)
        case .rollBack:
            if let previous = record.previous {
                try repeatBundle(db, source: source.id, version: previous, now: now)
                details["contentOf"] = .number(JSONNumber(previous))
            } else {
                // Before it there was none, so live plugins are switched off.
                try insertBundle(
                    db, source: source.id, text: Data(), sha256: SHA256.hash(data: Data()).hexadecimal, signature: nil,
                    percentage: 100, now: now)
            }
            return AuditEntry(action: .pluginsRolledBack, details: details)
        }
    }
}

extension RolloutDecision {
    /// What became of the version.
    fileprivate var verb: String {
        switch self {
        case .wait: "waits"
        case .advance(let percentage): "goes to \(percentage) % of devices"
        case .finish: "is rolled out"
        case .rollBack: "was rolled back"
        }
    }
}

extension RolloutRecord {
    /// A message to operators. Chats show the member `text`.
    func notice(_ verb: String, of writeKey: String) -> JSON {
        [
            "text": .string("live plugins version \(version) of \(writeKey) \(verb): \(reason)"),
            "writeKey": .string(writeKey), "version": .number(JSONNumber(version)),
            "state": .string(state.rawValue), "percentage": .number(JSONNumber(percentage)),
            "reason": .string(reason),
        ]
    }
}

extension APIError {
    static func noRollout(_ writeKey: String) -> APIError {
        APIError(.conflict, "no roll-out with a plan of the source \(writeKey) is under way")
    }
}
