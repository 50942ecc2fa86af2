import TributaryJSON

extension Secrets {
    /// A value without its secrets: members that are named after secrets, and texts that look like a secret or contain
    /// one.
    static func removed(from json: JSON) -> JSON {
        switch json {
        case .object(let members): .object(removed(from: members))
        case .array(let elements): .array(elements.map(removed))
        case .string(let text): isSecret(value: text) || areGiven(in: text) ? .string(mark) : json
        default: json
        }
    }

    private static func removed(from members: JSONObject) -> JSONObject {
        var kept = JSONObject()
        let isNamedBeside = ["name", "key", "field", "id", "header"].contains { name in
            members[name]?.stringValue.map { isSecret(name: $0) } ?? false
        }
        for (name, value) in members {
            if isSecret(name: name) || (isNamedBeside && name == "value") {
                // Null is not a secret, and generators can use it.
                kept[name] = value.isNull ? value : .string(mark)
            } else {
                kept[name] = removed(from: value)
            }
        }
        return kept
    }
}
