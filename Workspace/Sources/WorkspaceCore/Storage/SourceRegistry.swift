import Crypto
package import Foundation
package import GRDB
package import TributaryJSON

/// The sources in memory, so that ingest and settings ask no database.
///
/// Changes are made in the database first. Two that overlap may come back in any order, so the higher revision wins.
package actor SourceRegistry {
    private let store: Store
    package let now: @Sendable () -> Int64
    /// Called with the number of each source that has changed.
    private let onChange: @Sendable (Int64) -> Void
    private var sources: [String: Source]
    /// Which source each valid key belongs to.
    private var keys: [String: String] = [:]
    /// Which source the hook of each source function belongs to.
    private var hooks: [String: String] = [:]
    /// Sources that are being removed, or were: their keys are worth nothing any more.
    private var closed: Set<Int64> = []
    /// The live plugins that run in the workspace, by the numbers of their sources.
    package private(set) var scripts: [Int64: WorkspaceScripts] = [:]
    /// How often `reload` was called.
    private var reloads = 0

    package init(
        store: Store, now: @escaping @Sendable () -> Int64, onChange: @escaping @Sendable (Int64) -> Void = { _ in }
    ) throws {
        (self.store, self.now, self.onChange) = (store, now, onChange)
        sources = Dictionary(try store.sources().map { ($0.writeKey, $0) }, uniquingKeysWith: { first, _ in first })
        for source in sources.values {
            for key in source.keys where key.isValid { keys[key.key] = source.writeKey }
            scripts[source.id] = WorkspaceScripts(source)
            if let hook = source.function?.hook { hooks[hook] = source.writeKey }
        }
    }

    /// The source of that name in the administration, which is the key that it was made with.
    package func source(_ writeKey: String) -> Source? { sources[writeKey] }

    /// Whether the author of the request that is answered now sees it. For all others it is not there.
    private func isSeen(_ source: Source) -> Bool { Administrator.current.sight.sees(source.id) }

    /// The same, for requests that name it.
    /// - Throws: the answer to a request that names one that is not there, or that its author does not see.
    package func known(_ writeKey: String) throws(Refusal) -> Source {
        guard let source = sources[writeKey], isSeen(source) else { throw .unknownSource(writeKey) }
        return source
    }

    /// The source that clients with that key belong to; nil when the key was revoked.
    package func source(ofClientWith key: String) -> Source? { keys[key].flatMap { sources[$0] } }

    /// The source with a function that has this hook.
    package func source(ofHook hook: String) -> Source? { hooks[hook].flatMap { sources[$0] } }

    /// The source of the first of these keys that a source has.
    package func source(ofClientWithOneOf keys: [String]) -> Source? {
        for key in keys {
            if let source = source(ofClientWith: key) { return source }
        }
        return nil
    }

    /// The source that clients with that key belong to or once belonged to.
    package func source(ofClientThatHad key: String) -> Source? {
        source(ofClientWith: key) ?? sources.values.first { $0.keys.contains { $0.key == key } }
    }

    /// All sources that the author of the request sees, oldest first.
    package func all() -> [Source] {
        // Their numbers are given by chance.
        sources.values.filter(isSeen).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    /// The names of sources, by their numbers.
    package func writeKeys(of ids: Set<Int64>) -> [Int64: String] {
        sources.values.filter(isSeen).reduce(into: [:]) { if ids.contains($1.id) { $0[$1.id] = $1.writeKey } }
    }

    /// Makes a source or renames it.
    package func put(_ writeKey: String, name: String?) async throws -> (source: Source, isNew: Bool) {
        guard isChangeable(writeKey) else { throw Refusal.unknownSource(writeKey) }
        let result = try await store.putSource(writeKey: writeKey, name: name, now: now())
        remember(result.source)
        return result
    }

    /// Makes a source that must not be there yet.
    package func make(_ writeKey: String, name: String?) async throws -> Source {
        let source = try await store.makeSource(writeKey: writeKey, name: name, now: now())
        remember(source)
        return source
    }

    /// Takes nothing for a source any more, so that it can be removed.
    package func close(_ source: Source) {
        closed.insert(source.id)
        for key in source.keys { keys.removeValue(forKey: key.key) }
        removeHook(of: source)
        onChange(source.id)
    }

    /// Takes requests again for a source that could not be removed, as it stands in the database now.
    package func reopen(_ source: Source) async {
        let current: Source?
        do {
            current = try await store.source(source.writeKey)
        } catch {
            // Then it is what it was.
            current = source
        }
        guard let current else { return }
        closed.remove(current.id)
        remember(current)
    }

    /// Forgets a source that was removed.
    package func forget(_ source: Source) {
        if sources[source.writeKey]?.id == source.id { sources.removeValue(forKey: source.writeKey) }
        removeHook(of: source)
        scripts.removeValue(forKey: source.id)
        onChange(source.id)
    }

    /// Replaces the settings of the destinations that are named; null takes one out.
    package func mergeIntegrations(_ changes: JSONObject, of writeKey: String) async throws -> Source {
        try await change(writeKey) { db, source in
            var integrations = source.integrations
            for (name, value) in changes {
                // Not `nil` in place of the call: that literal is also the JSON value `null`.
                if value.isNull { integrations.removeValue(forKey: name) } else { integrations[name] = value }
            }
            let bytes = Data(JSON.object(integrations).encoded())
            try db.execute(sql: "UPDATE source SET integrations = ? WHERE id = ?", arguments: [bytes, source.id])
            return AuditEntry(
                action: .integrationsChanged,
                details: [
                    "changed": .array(changes.filter { !$0.value.isNull }.map { .string($0.key) }),
                    "removed": .array(changes.filter { $0.value.isNull }.map { .string($0.key) }),
                ])
        }
    }

    /// Makes a text the newest version of the live plugins; an empty one switches them off.
    /// - Parameters:
    ///   - place: where it runs; nil for where the version before it ran.
    ///   - plan: how it is rolled out; then the percentage is that of its first stage.
    ///   - reason: why it is deployed although it breaks rules.
    ///   - broken: the rules that it breaks, for the log of changes.
    package func deploy(
        _ text: Data, sha256: String, signature: String?, percentage: Int, place: PluginPlace? = nil,
        plan: RolloutPlan? = nil, announced: [AnnouncedDifference] = [], reason: String? = nil, broken: [String] = [],
        to writeKey: String
    ) async throws -> Source {
        let now = now()
        return try await change(writeKey) { db, source in
            if percentage < 100 || plan != nil, let bundle = source.bundle, bundle.isStaged {
                let state = bundle.percentage == 0 ? "runs as a shadow" : "is staged for \(bundle.percentage) %"
                throw Refusal(
                    .conflict, "version \(bundle.version) \(state); give it to all, or roll back, first")
            }
            guard plan?.shadow == nil || source.bundleForAll?.isOff == false else {
                throw Refusal(
                    .conflict, "a shadow runs beside a version for all devices, and the source \(writeKey) has none")
            }
            try Store.insertBundle(
                db, source: source.id, text: text, sha256: sha256, signature: signature, percentage: percentage,
                place: place ?? source.bundle?.place ?? .device, now: now)
            let version = (source.bundle?.version ?? 0) + 1
            try Store.endRollout(.livePlugins, of: source.id, because: "an operator deployed version \(version)", db)
            if let plan {
                try Store.removeSamples(.livePlugins, of: source.id, db)
                let rollout = RolloutRecord(
                    source: source.id, kind: .livePlugins, version: version, previous: source.bundleForAll?.version,
                    plan: plan, announced: announced, now: now)
                try Store.put(rollout, db)
            }
            var details: JSONObject = [
                "version": .number(version), "sha256": .string(sha256), "signed": .bool(signature != nil),
                "percentage": .number(percentage),
            ]
            details["plan"] = plan?.json
            details["announced"] = announced.isEmpty ? nil : announced.json
            details["where"] = place.map { .string($0.rawValue) }
            details["reason"] = reason.map(JSON.string)
            if !broken.isEmpty { details["broken"] = .array(broken.map(JSON.string)) }
            return AuditEntry(action: text.isEmpty ? .pluginsDisabled : .pluginsDeployed, details: details)
        }
    }

    /// Gives the newest version to more devices.
    package func widen(to percentage: Int, of writeKey: String) async throws -> Source {
        try await change(writeKey) { db, source in
            guard let bundle = source.bundle, bundle.isStaged else {
                throw Refusal(.conflict, "no version of the source \(writeKey) is staged")
            }
            if let rollout = try Store.rollout(.livePlugins, of: source.id, db), rollout.isOpen {
                throw Refusal(
                    .conflict, "version \(bundle.version) has a plan; `tributary plugin rollout advance` moves it on")
            }
            // Devices that have the version would keep it, since versions only grow.
            guard percentage >= bundle.percentage else {
                throw Refusal(
                    .conflict,
                    "version \(bundle.version) is at \(bundle.percentage) % of devices; to take it back, roll back")
            }
            try Store.setPercentage(db, source: source.id, version: bundle.version, percentage: percentage)
            return AuditEntry(
                action: .pluginsWidened,
                details: ["version": .number(bundle.version), "percentage": .number(percentage)])
        }
    }

    /// Adds a key that clients of a source may carry.
    package func addKey(_ key: String, name: String, to writeKey: String) async throws -> Source {
        let now = now()
        return try await change(writeKey) { db, source in
            try Store.addKey(db, key, name: name, to: source, now: now)
            return AuditEntry(action: .keyAdded, details: ["key": .string(key), "name": .string(name)])
        }
    }

    /// Makes a key worth nothing.
    package func revokeKey(_ key: String, of writeKey: String) async throws -> Source {
        let now = now()
        return try await change(writeKey) { db, source in
            try Store.revokeKey(db, key, of: source, now: now)
            return AuditEntry(action: .keyRevoked, details: ["key": .string(key)])
        }
    }

    /// Changes the members of a policy that are named.
    package func changePolicy(_ changes: JSON, of writeKey: String) async throws -> Source {
        try await change(writeKey) { db, source in
            let policy = try source.policy.changed(by: changes)
            try db.execute(
                sql: "UPDATE source SET policy = ? WHERE id = ?",
                arguments: [Data(policy.stored.encoded()), source.id])
            return AuditEntry(action: .policyChanged, details: Self.difference(source.policy.json, policy.json))
        }
    }

    /// Changes the tracking plan.
    package func changePlan(
        of writeKey: String, _ changed: @escaping @Sendable (TrackingPlan) throws(Refusal) -> TrackingPlan
    ) async throws -> Source {
        try await change(writeKey) { db, source in
            let plan = try changed(source.plan)
            try db.execute(
                sql: "UPDATE source SET plan = ? WHERE id = ?", arguments: [Data(plan.json.encoded()), source.id])
            let differing = { (one: TrackingPlan, other: TrackingPlan) in
                JSON.array(one.events.filter { !other.events.contains($0) }.prefix(Limits.planChangesInLog).map(\.json))
            }
            return AuditEntry(
                action: .planChanged,
                details: [
                    "before": differing(source.plan, plan), "after": differing(plan, source.plan),
                    "events": .number(plan.events.count), "unplanned": plan.json["unplanned"] ?? .null,
                ])
        }
    }

    /// The members of an object that changed, before and after.
    private static func difference(_ before: JSON, _ after: JSON) -> JSONObject {
        var (old, new) = (JSONObject(), JSONObject())
        for (name, value) in after.objectValue ?? [:] where before[name] != value {
            old[name] = before[name] ?? .some(.null)
            new[name] = value
        }
        return ["before": .object(old), "after": .object(new)]
    }

    /// Makes an older version of the live plugins the newest once more.
    package func redeploy(_ version: Int64, of writeKey: String) async throws -> Source {
        let now = now()
        return try await change(writeKey) { db, source in
            try Store.repeatBundle(db, source: source.id, version: version, now: now)
            try Store.endRollout(
                .livePlugins, of: source.id, because: "an operator went back to version \(version)", db)
            return AuditEntry(
                action: .pluginsRolledBack,
                details: ["version": .number((source.bundle?.version ?? 0) + 1), "contentOf": .number(version)])
        }
    }

    /// Changes a source, and stores and remembers it.
    package func change(
        _ writeKey: String, _ change: @escaping @Sendable (Database, Source) throws -> AuditEntry
    ) async throws -> Source {
        guard isChangeable(writeKey),
            let source = try await store.changeSource(writeKey: writeKey, now: now(), change)
        else {
            throw Refusal.unknownSource(writeKey)
        }
        remember(source)
        return source
    }

    /// Whether the author of the request may change a source of that name. An author who sees all sources may also change one
    /// that this node does not know yet.
    private func isChangeable(_ writeKey: String) -> Bool {
        Administrator.current.sight.sources == nil || sources[writeKey].map(isSeen) ?? false
    }

    /// Reads a source again, of which something outside of its row changed.
    package func refresh(_ writeKey: String) async throws {
        if let source = try await store.source(writeKey) { remember(source) }
    }

    /// Takes over what other nodes of a cluster changed.
    package func reload() async throws {
        reloads += 1
        let reload = reloads
        let before = Set(sources.values.map(\.id))
        let stored = try await store.pool.read(Store.allSources)
        // A later look knows better what is gone.
        guard reload == reloads else { return }
        let ids = Set(stored.map(\.id))
        // A source that was made meanwhile is not among the stored ones, and was not known before.
        for source in sources.values where before.contains(source.id) && !ids.contains(source.id) {
            for key in source.keys where keys[key.key] == source.writeKey { keys.removeValue(forKey: key.key) }
            forget(source)
        }
        for source in stored { remember(source) }
    }

    private func remember(_ source: Source) {
        let known = sources[source.writeKey].flatMap { $0.id == source.id ? $0 : nil }
        guard !closed.contains(source.id), source.revision >= known?.revision ?? 0 else { return }
        for key in known?.keys ?? [] { keys.removeValue(forKey: key.key) }
        if let known { removeHook(of: known) }
        if let hook = source.function?.hook { hooks[hook] = source.writeKey }
        sources[source.writeKey] = source
        scripts[source.id] = WorkspaceScripts(source)
        for key in source.keys where key.isValid { keys[key.key] = source.writeKey }
        if source != known { onChange(source.id) }
    }

    private func removeHook(of source: Source) {
        guard let hook = source.function?.hook, hooks[hook] == source.writeKey else { return }
        hooks.removeValue(forKey: hook)
    }
}
