package import TributaryJSON

/// An object while a program runs. It reads its members from the JSON value that it was made of, and copies nothing that the
/// program does not change.
package final class RuleObject {
    /// The members in their order. The value of a member in `kept` does not count.
    private(set) var json: JSONObject
    /// Members that are objects, arrays, or no JSON.
    private(set) var kept: [(key: String, value: RuleValue)] = []
    private(set) var isChanged: Bool
    /// Whether it belongs to the program's constants, which no evaluation may change.
    let isConstant: Bool

    package init(_ json: JSONObject) {
        self.json = json
        isConstant = false
        isChanged = false
    }

    init(_ json: JSONObject, isConstant: Bool) {
        self.json = json
        self.isConstant = isConstant
        isChanged = false
    }

    /// A new object of the program's.
    init() {
        json = JSONObject()
        isConstant = false
        isChanged = true
    }

    /// Reads a member; nil when it is missing.
    func member(_ key: String) -> RuleValue? {
        if let place = place(of: key) { return kept[place].value }
        guard let value = json[key] else { return nil }
        return value.ruleValue(isConstant: isConstant) { kept.append((key, $0)) }
    }

    /// The value of a member; undefined when it is missing.
    package func value(of key: String) -> RuleValue { member(key) ?? .undefined }

    func has(_ key: String) -> Bool { json[key] != nil }

    func set(_ key: String, _ value: RuleValue) {
        isChanged = true
        let place = place(of: key)
        if let plain = value.plainJSON {
            json[key] = plain
            if let place { kept.remove(at: place) }
        } else {
            // Keeps the order; this value never counts.
            json[key] = .null
            if let place { kept[place].value = value } else { kept.append((key, value)) }
        }
    }

    func remove(_ key: String) {
        guard json.removeValue(forKey: key) != nil else { return }
        isChanged = true
        if let place = place(of: key) { kept.remove(at: place) }
    }

    /// The keys in JavaScript's order: indexes by their value, then all others as they were added.
    var keys: [String] {
        let keys = json.keys
        guard keys.contains(where: { RuleText.index($0) != nil }) else { return keys }
        let indexes = keys.compactMap(RuleText.index).sorted()
        return indexes.map(String.init) + keys.filter { RuleText.index($0) == nil }
    }

    var count: Int { json.count }

    private func place(of key: String) -> Int? {
        kept.isEmpty ? nil : kept.firstIndex { RuleText.areSame($0.key, key) }
    }
}

/// An array while a program runs.
package final class RuleArray {
    private let json: [JSON]
    private var made: [RuleValue]?
    private(set) var isChanged: Bool
    let isConstant: Bool

    init(_ json: [JSON], isConstant: Bool = false) {
        self.json = json
        self.isConstant = isConstant
        isChanged = false
    }

    /// A new array of the program's.
    init(values: [RuleValue]) {
        json = []
        isConstant = false
        made = values
        isChanged = true
    }

    var count: Int { made?.count ?? json.count }

    /// The elements. Reading them makes each object once.
    var values: [RuleValue] {
        if let made { return made }
        let values = json.map { $0.ruleValue(isConstant: isConstant) { _ in } }
        made = values
        return values
    }

    /// The elements that were read, and the JSON that the array was made of.
    var content: (read: [RuleValue]?, json: [JSON]) { (made, json) }

    func change(_ change: (inout [RuleValue]) -> Void) {
        isChanged = true
        var values = values
        made = nil
        change(&values)
        made = values
    }
}

extension JSON {
    /// The value for a program. `keep` gets an object or array, which has to stay the same.
    func ruleValue(isConstant: Bool, keep: (RuleValue) -> Void) -> RuleValue {
        switch self {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .number(let value): return .number(value.double)
        case .string(let text): return .string(text)
        case .array(let elements):
            let value = RuleValue.array(RuleArray(elements, isConstant: isConstant))
            keep(value)
            return value
        case .object(let members):
            let value = RuleValue.object(RuleObject(members, isConstant: isConstant))
            keep(value)
            return value
        }
    }
}

extension RuleValue {
    /// The JSON of a value that has one of its own; nil for objects, arrays and values without a JSON form.
    fileprivate var plainJSON: JSON? {
        switch self {
        case .null: .some(.null)
        case .bool(let value): .bool(value)
        case .string(let text): .string(text)
        // Minus zero has to stay what it is until the end.
        case .number(let value) where value.isFinite && !(value == 0 && value.sign == .minus): NumberText.json(value)
        default: nil
        }
    }
}
