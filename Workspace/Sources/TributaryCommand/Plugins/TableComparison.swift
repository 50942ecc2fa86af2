import TributaryJSON
import TributaryPluginTestKit

/// The tables of two bundles.
struct TableComparison {
    /// The tables that only the bundle before has, such as "the table sku".
    let removed: [String]
    /// The tables that only the new bundle has.
    let added: [String]
    /// For each table that both have with different entries, how they differ.
    let changed: [String]

    init(from before: ScriptTables, to after: ScriptTables) {
        let (old, new) = (before.names, after.names)
        removed = old.filter { !new.contains($0) }.map(Self.title)
        added = new.filter { !old.contains($0) }.map(Self.title)
        changed = new.filter(old.contains).compactMap { name in
            Self.difference(before.entries(of: name), after.entries(of: name)).map { "\(Self.title(name)) (\($0))" }
        }
    }

    /// A table in words.
    static func title(_ name: String) -> String { "the table \(name)" }

    /// How many entries differ; nil when none does.
    private static func difference(_ before: JSONObject, _ after: JSONObject) -> String? {
        let gone = before.count { after[$0.key] == nil }
        let new = after.count { before[$0.key] == nil }
        let other = after.count { entry in before[entry.key].map { $0 != entry.value } ?? false }
        let parts = [(gone, "removed"), (new, "added"), (other, "changed")].filter { $0.0 > 0 }
        return parts.isEmpty ? nil : "entries: " + parts.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")
    }
}
