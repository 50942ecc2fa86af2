import Foundation
import TributaryJSON
import WorkspaceCore

/// Steps about live plugins.
extension ConfigChange {
    /// Devices only go to higher versions. So a roll-out grows when that is enough. Else it ends with another version
    /// for all, which is the old content again when the file keeps that.
    static func plugins(_ before: PluginsConfig, _ after: PluginsConfig) -> [ConfigChange] {
        guard before != after else { return [] }
        if before.forAll == after.forAll, let old = before.staged, let new = after.staged, old.bundle == new.bundle,
            new.percentage > old.percentage
        {
            return [.widen(from: old.percentage, to: new.percentage)]
        }
        var changes: [ConfigChange] = []
        if let old = before.staged, old.bundle == after.forAll {
            changes.append(.widen(from: old.percentage, to: 100))
        } else if before.staged != nil || before.forAll != after.forAll {
            changes.append(forAll(before, after.forAll))
        }
        if let stage = after.staged { changes.append(.stage(stage)) }
        return changes
    }

    private static func forAll(_ before: PluginsConfig, _ after: PluginsConfig.Bundle?) -> ConfigChange {
        let bytes = (before.forAll ?? before.staged?.bundle)?.text.count ?? 0
        return after.map { .deploy($0, bytesBefore: bytes) } ?? .disablePlugins(bytesBefore: bytes)
    }

    /// The step as a text for people.
    func pluginLines(_ style: OutputStyle) -> [String] {
        switch self {
        case .deploy(let bundle, let bytes):
            return [style.good("  + live plugins, \(bytes) → \(Self.text(bundle))")]
        case .stage(let stage):
            return [style.good("  + live plugins for \(stage.percentage) % of devices, \(Self.text(stage.bundle))")]
        case .widen(let old, let new): return [style.good("  + live plugins for \(old) → \(new) % of devices")]
        case .disablePlugins(let bytes): return [style.bad("  - live plugins, \(bytes) bytes, are switched off")]
        default: return []
        }
    }

    private static func text(_ bundle: PluginsConfig.Bundle) -> String {
        "\(bundle.text.count) bytes" + (bundle.signature == nil ? "" : ", signed") + bundle.place.note
    }

    /// Takes the step.
    /// - Parameters:
    ///   - client: speaks to the source.
    ///   - unchecked: whether live plugins that cannot do what they say are wanted.
    ///   - reason: why live plugins are deployed that break a rule.
    func applyToPlugins(_ client: AdministrationClient, unchecked: Bool, reason: String?) async throws {
        switch self {
        case .deploy(let bundle, _): try await Self.put(bundle, 100, client, unchecked, reason)
        case .stage(let stage): try await Self.put(stage.bundle, stage.percentage, client, unchecked, reason)
        case .widen(_, let percentage):
            try await client.send("POST", "live-plugins/widen", ["percentage": .number(percentage)])
        case .disablePlugins: try await client.delete("live-plugins")
        default: break
        }
    }

    private static func put(
        _ bundle: PluginsConfig.Bundle, _ percentage: Int, _ client: AdministrationClient, _ unchecked: Bool,
        _ reason: String?
    ) async throws {
        var query = [
            URLQueryItem(name: "percentage", value: "\(percentage)"),
            URLQueryItem(name: "where", value: bundle.place.rawValue),
        ]
        if unchecked { query.append(URLQueryItem(name: "unchecked", value: "true")) }
        if let reason { query.append(URLQueryItem(name: "reason", value: reason)) }
        try await client.send(
            "PUT", "live-plugins", query: query, body: bundle.text,
            type: "text/javascript", headers: bundle.signature.map { ["Tributary-Signature": $0] } ?? [:])
    }
}
