import TributaryJSON

/// One difference between two versions of an event.
struct JSONChange: Sendable, Equatable {
    /// The keys, joined by dots.
    let path: String
    /// The value before; nil when there was none.
    let before: JSON?
    /// The value after; nil when it was removed.
    let after: JSON?

    /// - Returns: the change as JSON; for an ordered trace with a mark in the place of values.
    func json(_ scope: TraceScope) -> JSON {
        var object: JSONObject = ["path": .string(path)]
        for (name, value) in [("before", before), ("after", after)] {
            guard let value else { continue }
            switch scope {
            case .all: object[name] = Self.shortened(value)
            case .ordered: object[name] = "…"
            }
        }
        return .object(object)
    }

    /// The differences, outer members first, at most `limit`.
    static func between(_ before: JSONObject, _ after: JSONObject, limit: Int = Limits.tracedChanges) -> [JSONChange] {
        var changes: [JSONChange] = []
        collect(before, after, prefix: "", limit: limit, into: &changes)
        return changes
    }

    private static func collect(
        _ before: JSONObject, _ after: JSONObject, prefix: String, limit: Int, into changes: inout [JSONChange]
    ) {
        for (key, old) in before where changes.count < limit {
            let new = after[key]
            guard new != old else { continue }
            if case .object(let oldObject) = old, case .object(let newObject)? = new {
                collect(oldObject, newObject, prefix: prefix + key + ".", limit: limit, into: &changes)
            } else {
                changes.append(JSONChange(path: prefix + key, before: old, after: new))
            }
        }
        for (key, new) in after where before[key] == nil && changes.count < limit {
            changes.append(JSONChange(path: prefix + key, before: nil, after: new))
        }
    }

    /// A value, shortened when it is long: a trace is for people.
    private static func shortened(_ value: JSON) -> JSON {
        let bytes = value.encoded()
        guard bytes.count > 512 else { return value }
        return .string(String(decoding: bytes.prefix(500), as: UTF8.self) + "…")
    }
}
