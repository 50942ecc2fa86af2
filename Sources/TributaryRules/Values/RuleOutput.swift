package import TributaryJSON

/// Turns what a program has made into JSON, as `JSON.stringify` and a reader would.
package struct RuleOutput {
    /// Whether the JSON of the event has to be put into JavaScript's form, too: numbers as it writes them, and indexes
    /// before other keys.
    private let isExact: Bool

    package init(isExact: Bool) { self.isExact = isExact }

    /// The JSON of a value; nil for a value that has none, which an object leaves out.
    /// - Throws: when it is nested too deep, or contains itself.
    package func json(_ value: RuleValue) throws(RuleFault) -> JSON? { try json(value, depth: 0) }

    private func json(_ value: RuleValue, depth: Int) throws(RuleFault) -> JSON? {
        switch value {
        case .undefined, .function: return nil
        case .null: return .some(.null)
        case .bool(let value): return .bool(value)
        case .number(let value): return NumberText.json(value)
        case .string(let text): return .string(text)
        case .units(let units): return .string(String(decoding: units, as: UTF16.self))
        case .object(let object): return try json(object, depth: depth + 1)
        case .array(let array): return try json(array, depth: depth + 1)
        }
    }

    private func json(_ object: RuleObject, depth: Int) throws(RuleFault) -> JSON {
        try Self.check(depth)
        let isOwn = isExact || object.isChanged
        var members = isOwn ? object.json.inScriptForm(isExact: isExact) : object.json
        var missing: [String] = []
        for (key, value) in object.kept {
            if !isExact, !object.isChanged, try !isDeeplyChanged(value, depth: depth) { continue }
            if let json = try json(value, depth: depth) { members[key] = json } else { missing.append(key) }
        }
        for key in missing { members[key] = nil }
        return .object(members)
    }

    private func json(_ array: RuleArray, depth: Int) throws(RuleFault) -> JSON {
        try Self.check(depth)
        guard let read = array.content.read else {
            let json = JSON.array(array.content.json)
            return isExact ? json.inScriptForm : json
        }
        var elements: [JSON] = []
        elements.reserveCapacity(read.count)
        for value in read { elements.append(try json(value, depth: depth) ?? .null) }
        return .array(elements)
    }

    /// Whether a program has changed anything in the value.
    package func isDeeplyChanged(_ value: RuleValue) throws(RuleFault) -> Bool { try isDeeplyChanged(value, depth: 0) }

    private func isDeeplyChanged(_ value: RuleValue, depth: Int) throws(RuleFault) -> Bool {
        try Self.check(depth)
        switch value {
        case .object(let object):
            if object.isChanged { return true }
            for (_, value) in object.kept where try isDeeplyChanged(value, depth: depth + 1) { return true }
            return false
        case .array(let array):
            if array.isChanged { return true }
            for value in array.content.read ?? [] where try isDeeplyChanged(value, depth: depth + 1) { return true }
            return false
        default: return false
        }
    }

    private static func check(_ depth: Int) throws(RuleFault) {
        guard depth <= RuleLimits.valueDepth else {
            throw .type("the value contains itself, or is nested deeper than \(RuleLimits.valueDepth) levels")
        }
    }
}

extension JSON {
    /// The value as JavaScript writes it after reading it: its own form of numbers, and indexes before other keys.
    package var inScriptForm: JSON {
        switch self {
        case .null, .bool, .string: self
        case .number(let number): NumberText.json(number.double)
        case .array(let elements): .array(elements.map(\.inScriptForm))
        case .object(let members): .object(members.inScriptForm(isExact: true))
        }
    }
}

extension JSONObject {
    /// - Parameter isExact: whether values are put into that form, too.
    fileprivate func inScriptForm(isExact: Bool) -> JSONObject {
        let hasIndexes = withMembers { members in members.contains { RuleText.index($0.key) != nil } }
        guard isExact || hasIndexes else { return self }
        var result = JSONObject()
        if hasIndexes {
            for index in keys.compactMap(RuleText.index).sorted() {
                let key = String(index)
                if let value = self[key] { result[key] = isExact ? value.inScriptForm : value }
            }
        }
        for (key, value) in self where !hasIndexes || RuleText.index(key) == nil {
            result[key] = isExact ? value.inScriptForm : value
        }
        return result
    }
}
