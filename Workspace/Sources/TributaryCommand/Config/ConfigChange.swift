import Foundation
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// One step from the workspace's configuration to that of a folder.
enum ConfigChange: Equatable {
    case makeSource(name: String)
    case renameSource(from: String, to: String)
    /// Null removes a destination.
    case integrations(JSONObject, before: JSONObject)
    case filters(JSON, before: JSON)
    /// Gives all devices a bundle, which ends a roll-out.
    case deploy(PluginsConfig.Bundle, bytesBefore: Int)
    case disablePlugins(bytesBefore: Int)
    /// Gives a few devices a bundle.
    case stage(PluginsConfig.Rollout)
    /// More devices get the current version.
    case widen(from: Int, to: Int)
    case addKey(SourceConfig.KeyConfig)
    case revokeKey(SourceConfig.KeyConfig)
    case policy(JSON, before: JSON)
    case plan(JSON, before: JSON)
    /// Adds a destination of forwarding, as the file has it.
    case addDestination(String, JSON)
    case changeDestination(String, JSON, before: JSON)
    case removeDestination(String)

    /// The steps for one source, in a safe order: rules come before code that relies on them.
    static func between(_ before: SourceConfig?, _ after: SourceConfig) -> [ConfigChange] {
        var changes: [ConfigChange] = []
        if before == nil { changes.append(.makeSource(name: after.name)) }
        if let before, before.name != after.name { changes.append(.renameSource(from: before.name, to: after.name)) }
        let settings = before?.integrations ?? [:]
        if let merge = merge(settings, after.integrations) { changes.append(.integrations(merge, before: settings)) }
        let destinations = destinations(before?.destinations, after.destinations)
        changes += destinations.beforeFilters
        if (before?.filters ?? []) != after.filters {
            changes.append(.filters(after.filters, before: before?.filters ?? []))
        }
        changes += destinations.afterFilters
        let policyBefore = before?.policy ?? SourcePolicy.none.json
        if let policy = after.policy, policy != policyBefore {
            changes.append(.policy(policy, before: policyBefore))
        }
        let planBefore = before?.plan ?? TrackingPlan.none.json
        if let plan = after.plan, plan != planBefore { changes.append(.plan(plan, before: planBefore)) }
        changes += keys(before?.keys ?? [], after)
        return changes + plugins(before?.plugins ?? .nothing, after.plugins)
    }

    /// New keys are added before old ones are removed, so there always is one. A new source has the key of its name.
    private static func keys(_ before: [SourceConfig.KeyConfig], _ after: SourceConfig) -> [ConfigChange] {
        guard let wanted = after.keys else { return [] }
        let known = before.isEmpty ? [SourceConfig.KeyConfig(key: after.writeKey, name: after.writeKey)] : before
        let added = wanted.filter { new in !known.contains { $0.key == new.key } }
        let gone = known.filter { old in !wanted.contains { $0.key == old.key } }
        return added.map(ConfigChange.addKey) + gone.map(ConfigChange.revokeKey)
    }

    /// The changes that turn one object into the other; nil when they are equal.
    private static func merge(_ before: JSONObject, _ after: JSONObject) -> JSONObject? {
        var changes = JSONObject()
        for (name, value) in after where before[name] != value { changes[name] = value }
        for (name, _) in before where after[name] == nil { changes[name] = .some(.null) }
        return changes.isEmpty ? nil : changes
    }

    /// The step as a text for people.
    func lines(_ style: OutputStyle) -> [String] {
        switch self {
        case .makeSource(let name): return [style.good("  + source \"\(name)\"")]
        case .renameSource(let old, let new): return [style.bad("  - name: \(old)"), style.good("  + name: \(new)")]
        case .integrations(let changes, let before):
            let old = JSONObject(members: before.filter { changes[$0.key] != nil }.map { ($0.key, $0.value) })
            let new = JSONObject(members: changes.filter { !$0.value.isNull }.map { ($0.key, $0.value) })
            return ["  integrations"] + style.difference(.object(old), .object(new)).map { "  " + $0 }
        case .filters(let after, let before):
            return ["  filters, \(Self.rules(before)) → \(Self.rules(after))"]
                + style.difference(before, after).map { "  " + $0 }
        case .deploy, .stage, .widen, .disablePlugins: return pluginLines(style)
        case .addKey(let key): return [style.good("  + key \(key.key) (\(key.name))")]
        case .revokeKey(let key): return [style.bad("  - key \(key.key) (\(key.name)) is revoked")]
        case .policy(let after, let before):
            return ["  policy"] + style.difference(before, after).map { "  " + $0 }
        case .plan(let after, let before):
            return ["  tracking plan"] + style.difference(before, after).map { "  " + $0 }
        case .addDestination, .changeDestination, .removeDestination: return destinationLines(style)
        }
    }

    private static func rules(_ filters: JSON) -> String {
        let count = filters.elements?.count ?? 0
        return count == 1 ? "1 rule" : "\(count) rules"
    }

    /// Takes the step.
    /// - Parameters:
    ///   - client: speaks to the source.
    ///   - unchecked: whether filter rules and live plugins that cannot do what they say are wanted.
    ///   - reason: why live plugins are deployed that break a rule.
    /// - Returns: texts that are shown only once, such as a secret.
    func apply(
        to writeKey: String, _ client: AdministrationClient, unchecked: Bool, reason: String? = nil
    ) async throws -> String? {
        switch self {
        case .makeSource(let name), .renameSource(_, let name):
            try await client.send("PUT", "", ["name": .string(name)])
        case .integrations(let changes, _): try await client.send("PUT", "integrations", .object(changes))
        case .filters(let filters, _):
            let query = unchecked ? [URLQueryItem(name: "unchecked", value: "true")] : []
            try await client.send("PUT", "filters", query: query, filters)
        case .deploy, .stage, .widen, .disablePlugins:
            try await applyToPlugins(client, unchecked: unchecked, reason: reason)
        case .addKey(let key):
            try await client.send("POST", "keys", ["key": .string(key.key), "name": .string(key.name)])
        case .revokeKey(let key): try await client.delete("keys", named: key.key)
        case .policy(let policy, _): try await client.send("PUT", "policy", policy)
        case .plan(let plan, _): try await client.send("PUT", "plan", plan)
        case .addDestination, .changeDestination, .removeDestination:
            return try await applyToDestination(of: writeKey, client)
        }
        return nil
    }
}
