import Crypto
import Foundation
import GRDB
package import TributaryJSON

extension SourceRegistry {
    /// Carries out a decision about a roll-out, in one transaction: deployment, roll-out, audit log, message to
    /// operators.
    /// - Parameters:
    ///   - record: the roll-out that it was decided about.
    ///   - reason: the reason of an operator who overrides the workspace.
    /// - Returns: the message to operators.
    /// - Throws: `Refusal` when the roll-out was changed meanwhile.
    package func carryOut(
        _ decision: RolloutDecision, of record: RolloutRecord, because reason: String?, in writeKey: String
    ) async throws -> JSON {
        var next = record
        next.carryOut(decision, because: reason)
        let notice = next.notice(decision.verb, of: writeKey)
        let now = now()
        _ = try await change(writeKey) { [next] db, source in
            try Store.checkIsCurrent(record, in: source, db)
            let entry = try Store.apply(decision, next, source, now, db)
            if next.comparison != record.comparison { try Store.removeSamples(record.kind, of: source.id, db) }
            try Store.put(next, db)
            try Store.addNotice(notice, now: now, db)
            return entry
        }
        return notice
    }

    /// Stops a roll-out for now.
    package func pauseRollout(_ kind: RolloutKind, of writeKey: String) async throws -> Source {
        try await changeRollout(kind, of: writeKey, .rolloutPaused, from: .running) { $0.pause() }
    }

    /// Lets a paused roll-out go on.
    package func resumeRollout(_ kind: RolloutKind, of writeKey: String) async throws -> Source {
        let now = now()
        return try await changeRollout(kind, of: writeKey, .rolloutResumed, from: .paused) { $0.resume(at: now) }
    }

    /// Sets how an operator expects that the shadow of a roll-out differs from the version before.
    package func announce(_ differences: [AnnouncedDifference], of writeKey: String) async throws -> Source {
        try await change(writeKey) { db, source in
            guard var record = try Store.rollout(.livePlugins, of: source.id, db), record.isOpen,
                record.progress.isShadow
            else { throw Refusal(.conflict, "no version of the source \(writeKey) runs as a shadow") }
            record.announce(differences)
            try Store.put(record, db)
            var details = record.details
            details["announced"] = differences.json
            return AuditEntry(action: .differencesAnnounced, details: details)
        }
    }

    private func changeRollout(
        _ kind: RolloutKind, of writeKey: String, _ action: AuditEntry.Action, from state: RolloutRecord.State,
        _ body: @escaping @Sendable (inout RolloutRecord) -> Void
    ) async throws -> Source {
        try await change(writeKey) { db, source in
            guard var record = try Store.rollout(kind, of: source.id, db), record.isOpen else {
                throw Refusal.noRollout(kind, writeKey)
            }
            guard record.state == state else { throw Refusal(.conflict, "the roll-out is \(record.state.rawValue)") }
            body(&record)
            try Store.put(record, db)
            return AuditEntry(action: action, details: record.details)
        }
    }
}

extension Store {
    fileprivate static func checkIsCurrent(_ record: RolloutRecord, in source: Source, _ db: Database) throws {
        guard let stored = try rollout(record.kind, of: source.id, db), stored.isSameStep(as: record),
            source.newest(record.kind)?.version == record.version
        else { throw Refusal(.conflict, "the roll-out was changed meanwhile") }
    }

    /// Changes the deployment.
    fileprivate static func apply(
        _ decision: RolloutDecision, _ record: RolloutRecord, _ source: Source, _ now: Int64, _ db: Database
    ) throws -> AuditEntry {
        var details = record.details
        details["reason"] = .string(record.reason)
        switch decision {
        case .wait, .finish: return AuditEntry(action: .rolloutFinished, details: details)
        case .advance(let percentage):
            details["percentage"] = .number(percentage)
            switch record.kind {
            case .livePlugins:
                try setPercentage(db, source: source.id, version: record.version, percentage: percentage)
                return AuditEntry(action: .pluginsWidened, details: details)
            case .filters:
                try setFilterPercentage(db, source: source.id, version: record.version, percentage: percentage)
                return AuditEntry(action: .filtersWidened, details: details)
            }
        case .rollBack:
            details["contentOf"] = record.previous.map { .number($0) }
            switch record.kind {
            case .livePlugins:
                try rollBackPlugins(to: record.previous, source, now, db)
                return AuditEntry(action: .pluginsRolledBack, details: details)
            case .filters:
                try repeatFilters(db, source: source.id, version: record.previous ?? 0, now: now)
                return AuditEntry(action: .filtersRolledBack, details: details)
            }
        }
    }

    private static func rollBackPlugins(to previous: Int64?, _ source: Source, _ now: Int64, _ db: Database) throws {
        if let previous { return try repeatBundle(db, source: source.id, version: previous, now: now) }
        // Before it there was none, so live plugins are switched off.
        try insertBundle(
            db, source: source.id, text: Data(), sha256: SHA256.hash(data: Data()).hexadecimal, signature: nil,
            percentage: 100, place: source.bundle?.place ?? .device, now: now)
    }
}

extension RolloutDecision {
    /// The outcome for the version.
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
    /// The roll-out in the audit log.
    fileprivate var details: JSONObject { ["kind": .string(kind.rawValue), "version": .number(version)] }

    /// A message to operators. Chats show the member `text`.
    package func notice(_ verb: String, of writeKey: String) -> JSON {
        [
            "text": .string("\(kind.title) version \(version) of \(writeKey) \(verb): \(reason)"),
            "writeKey": .string(writeKey), "kind": .string(kind.rawValue), "version": .number(version),
            "state": .string(state.rawValue), "percentage": .number(percentage), "reason": .string(reason),
        ]
    }
}

extension Refusal {
    package static func noRollout(_ kind: RolloutKind, _ writeKey: String) -> Refusal {
        Refusal(.conflict, "no roll-out of \(kind.title) with a plan of the source \(writeKey) is under way")
    }
}
