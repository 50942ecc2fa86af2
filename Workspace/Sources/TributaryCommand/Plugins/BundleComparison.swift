import Foundation
import TributaryPluginTestKit

/// The changes of a deployment: a bundle replaces the earlier one as a whole.
struct BundleComparison {
    /// The plugins, the generator as "processSignal", and the tables that only the bundle before has.
    let removed: [String]
    /// The plugins and the tables that only the new bundle has.
    let added: [String]
    private let changedTables: [String]
    /// Whether tables are removed.
    let removesTables: Bool
    private let difference: LineDifference
    private let isFirst: Bool
    private let isSame: Bool

    /// - Parameter before: the text of the deployed bundle; empty when there is none.
    init(from before: String, to after: String) {
        let (old, new) = (Self.parts(of: before), Self.parts(of: after))
        let tables = TableComparison(from: DeployedBundles.tables(of: before), to: DeployedBundles.tables(of: after))
        removed = Self.missing(of: old, in: new) + tables.removed
        added = Self.missing(of: new, in: old) + tables.added
        (changedTables, removesTables) = (tables.changed, !tables.removed.isEmpty)
        difference = LineDifference(ScriptTables.code(of: before), ScriptTables.code(of: after))
        isSame = before == after
        isFirst = before.isEmpty
    }

    /// The removed and the added plugins and tables, on one line.
    var text: String {
        if isFirst { return added.isEmpty ? "adds no plugin" : "adds \(added.joined(separator: ", "))" }
        if isSame { return "the text is the deployed one" }
        var parts: [String] = []
        if !removed.isEmpty { parts.append("removes \(removed.joined(separator: ", "))") }
        if !added.isEmpty { parts.append("adds \(added.joined(separator: ", "))") }
        if !changedTables.isEmpty { parts.append("changes \(changedTables.joined(separator: ", "))") }
        let names = parts.isEmpty ? "the same plugins" : parts.joined(separator: ", ")
        guard difference.count > 0 else { return names }
        return "\(names); \(difference.count.grouped) \(difference.count == 1 ? "line differs" : "lines differ")"
    }

    /// The names of what a bundle adds; nothing for one that does not load.
    private static func parts(of source: String) -> [String] {
        guard !source.isEmpty, let run = try? PluginTestRun(source: source, name: "plugins.js") else { return [] }
        return run.plugins.map(\.name) + (run.hasGenerator ? ["processSignal"] : [])
    }

    /// Two plugins may have one name, so each counts.
    private static func missing(of names: [String], in others: [String]) -> [String] {
        var others = others
        return names.filter { name in
            guard let position = others.firstIndex(of: name) else { return true }
            others.remove(at: position)
            return false
        }
    }
}
