import TributaryJSON
import TributaryScript

/// The actions that the app allows to scripts. All others are refused.
///
/// The event that scripts get is compared with the event that they return, so it does not matter how a script is
/// written or who deployed it. A class, because each event would copy the lists of a struct.
package final class ScriptPermissions: Sendable, Equatable {
    /// The permissions as the app gave them, without repetitions.
    package let all: [ScriptPermission]

    private let renames: [NamePattern]
    private let drops: [NamePattern]
    private let emits: [NamePattern]
    private let changes: [MemberPath]
    /// Members that scripts see. Scripts also see the members that they may change.
    private let reads: [MemberPath]
    /// Whether scripts see the whole event, which then needs no copy.
    private let seesAll: Bool
    private let plain: Set<ScriptPermission.Plain>

    package init(_ permissions: [ScriptPermission]) {
        var all: [ScriptPermission] = []
        for permission in permissions where !all.contains(permission) { all.append(permission) }
        self.all = all
        renames = all.compactMap { if case .rename(let name) = $0.kind { name } else { nil } }
        drops = all.compactMap { if case .drop(let name) = $0.kind { name } else { nil } }
        emits = all.compactMap { if case .emit(let name) = $0.kind { name } else { nil } }
        changes = all.compactMap { if case .change(let path) = $0.kind { path } else { nil } }
        reads = changes + all.compactMap { if case .read(let path) = $0.kind { path } else { nil } }
        seesAll = reads.contains { $0.text == "*" }
        plain = Set(all.compactMap { if case .plain(let plain) = $0.kind { plain } else { nil } })
    }

    package static func == (one: ScriptPermissions, other: ScriptPermissions) -> Bool { one.all == other.all }

    // MARK: Functions of scripts

    /// Whether scripts get signals.
    package var allowsSignals: Bool { plain.contains(.readSignals) }

    /// Whether scripts may do something that needs no pattern.
    func allows(_ permission: ScriptPermission.Plain) -> Bool { plain.contains(permission) }

    /// The action of a script that makes an event; nil when the app allows it.
    func refused(making type: String, name: String?) -> String? {
        let isAllowed =
            switch type {
            case "track", "screen": emits.contains { $0.matches(name ?? "") }
            case "identify": plain.contains(.identify)
            case "group": plain.contains(.group)
            default: plain.contains(.alias)
            }
        guard !isAllowed else { return nil }
        return type == "track" || type == "screen" ? "make the event \(name ?? "")" : "call \(type)"
    }

    static func refusal(_ action: String) -> ScriptError {
        ScriptError(.badValue, "the app does not allow scripts to \(action)")
    }

    // MARK: Events

    /// Members that scripts always see.
    private static let known: Set<String> = ["type", "event", "name", "messageId", "timestamp", "originalTimestamp"]
    /// Members that stay objects when scripts may see nothing in them, because scripts expect these.
    private static let objects: Set<String> = ["properties", "traits", "context"]

    /// The event with the members that scripts may see.
    func shown(_ event: JSON) -> JSON {
        guard !seesAll, case .object(let members) = event else { return event }
        var shown = JSONObject()
        for (key, value) in members {
            if Self.known.contains(key) {
                shown[key] = value
            } else if let value = self.shown(value, at: [key]) {
                shown[key] = value
            } else if Self.objects.contains(key), value.objectValue != nil {
                shown[key] = .object(JSONObject())
            }
        }
        guard let origin = members["context"]?[EventOrigin.key] else { return .object(shown) }
        var context = shown["context"]?.objectValue ?? JSONObject()
        context[EventOrigin.key] = origin
        shown["context"] = .object(context)
        return .object(shown)
    }

    /// The visible part of a member; nil when there is none.
    private func shown(_ value: JSON, at path: [String]) -> JSON? {
        if reads.contains(where: { $0.includes(path) }) { return value }
        guard case .object(let members) = value, reads.contains(where: { $0.leadsInto(path) }) else { return nil }
        var shown = JSONObject()
        for (key, value) in members {
            if let value = self.shown(value, at: path + [key]) { shown[key] = value }
        }
        return .object(shown)
    }

    /// The event that goes on, and the refused actions.
    struct Settlement: Equatable {
        /// The event that goes on; nil when scripts dropped it and may.
        var event: JSON?
        /// The actions that the app does not allow and that were undone: `drop Order Completed`, `change context.ip`.
        var refused: [String] = []
    }

    /// Takes over the changes of scripts that the app allows.
    ///
    /// - Parameters:
    ///   - returned: the event that scripts returned; nil when they dropped it.
    ///   - shown: the event that scripts got.
    ///   - event: the event before, with the members that scripts do not see.
    func settle(_ returned: JSON?, shown: JSON, of event: JSON) -> Settlement {
        let name = Self.name(of: event)
        guard let returned else {
            let isAllowed = drops.contains { $0.matches(name) }
            return isAllowed ? Settlement(event: nil) : Settlement(event: event, refused: ["drop \(name)"])
        }
        guard case .object(let members) = event else { return Settlement(event: event) }
        let (after, before) = (returned.objectValue ?? JSONObject(), shown.objectValue ?? JSONObject())
        // An event that no script changed is still the same in memory. All others are compared member by member.
        guard !after.isIdentical(to: before) else { return Settlement(event: event) }
        // Mostly scripts see the whole event and do only what they may. Then nothing is merged.
        if seesAll, areAllowed(after, before, at: [], name) { return Settlement(event: returned) }
        var refused: [String] = []
        let settled = merge(after, before, members, at: [], name, &refused)
        return Settlement(event: .object(settled), refused: refused)
    }

    /// The name of a track or screen event; the type of all others.
    static func name(of event: JSON) -> String {
        (event["event"] ?? event["name"])?.stringValue ?? event["type"]?.stringValue ?? ""
    }

    /// Whether scripts may make all changes to the members of an object.
    private func areAllowed(_ returned: JSONObject, _ shown: JSONObject, at path: [String], _ name: String) -> Bool {
        returned.differences(from: shown).allSatisfy { key in
            let path = path + [key]
            if mayChange(path, name) { return true }
            guard case .object(let inside)? = returned[key], case .object(let before)? = shown[key] else {
                return false
            }
            return areAllowed(inside, before, at: path, name)
        }
    }

    private func merge(
        _ returned: JSONObject, _ shown: JSONObject, _ original: JSONObject, at path: [String], _ name: String,
        _ refused: inout [String]
    ) -> JSONObject {
        var merged = original
        var removed: Set<String> = []
        for key in returned.differences(from: shown) {
            let path = path + [key]
            if mayChange(path, name) {
                if let value = returned[key] { merged[key] = value } else { removed.insert(key) }
            } else if let inside = returned[key]?.objectValue, mayLead(into: original[key], at: path) {
                let members = merge(
                    inside, shown[key]?.objectValue ?? JSONObject(), original[key]?.objectValue ?? JSONObject(),
                    at: path, name, &refused)
                if original[key] != nil || !members.isEmpty { merged[key] = .object(members) }
            } else {
                refused.append("change \(path.joined(separator: "."))")
            }
        }
        if !removed.isEmpty { merged.removeAll { removed.contains($0.key) } }
        return merged
    }

    /// Whether the members inside are looked at one by one. A member that is missing becomes an object when scripts may add
    /// members inside.
    private func mayLead(into value: JSON?, at path: [String]) -> Bool {
        value.map { $0.objectValue != nil } ?? changes.contains { $0.leadsInto(path) }
    }

    private func mayChange(_ path: [String], _ name: String) -> Bool {
        if path == ["event"] || path == ["name"] { return renames.contains { $0.matches(name) } }
        return changes.contains { $0.includes(path) }
    }
}
