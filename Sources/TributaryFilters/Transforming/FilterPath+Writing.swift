import TributaryJSON

extension JSON {
    /// Whether JavaScript's `typeof` says object: for objects, arrays and null.
    var isObjectType: Bool {
        switch self {
        case .object, .array, .null: true
        case .bool, .number, .string: false
        }
    }

    /// Whether the value counts as true in a JavaScript condition.
    var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .number(let number): number.double != 0 && !number.double.isNaN
        case .string(let text): !text.isEmpty
        case .array, .object: true
        }
    }
}

extension FilterPath {
    /// Changes the value at the path in place; nil when there is none.
    func update<Result>(_ event: inout JSON, _ change: (inout JSON) -> Result) -> Result? {
        Self.update(keys[...], &event, change)
    }

    private static func update<Result>(
        _ keys: ArraySlice<PathKey>, _ json: inout JSON, _ change: (inout JSON) -> Result
    ) -> Result? {
        guard let key = keys.first else { return change(&json) }
        switch json {
        case .object(var object):
            json = .null  // drops the second reference, so the change is made in place
            defer { json = .object(object) }
            return object.update(key.name) { update(keys.dropFirst(), &$0, change) } ?? nil
        case .array(var elements):
            guard let index = key.index, index < elements.count else { return nil }
            json = .null
            defer { json = .array(elements) }
            return update(keys.dropFirst(), &elements[index], change)
        case .null, .bool, .number, .string:
            return nil
        }
    }

    /// Removes the member at the path. An element of an array becomes null, because `delete` leaves a hole. False when
    /// there is none.
    func remove(from event: inout JSON) -> Bool {
        guard let key = keys.last else { return false }
        return parent.update(&event) { container in
            switch container {
            case .object(var object):
                guard object[key.name] != nil else { return false }
                container = .null
                object.removeValue(forKey: key.name)
                container = .object(object)
                return true
            case .array(var elements):
                guard let index = key.index, index < elements.count, !elements[index].isNull else { return false }
                container = .null
                elements[index] = .null
                container = .array(elements)
                return true
            case .null, .bool, .number, .string: return false
            }
        } ?? false
    }

    /// Whether the path leads to a character of a text, or to the length of a text or an array.
    func isUnremovable(in event: JSON) -> Bool {
        switch parent.value(in: event) {
        case .string: true
        case .array: keys.last?.name == "length"
        case nil, .null, .bool, .number, .object: false
        }
    }

    /// The result of a write.
    enum Write {
        case written
        /// JavaScript would write a property that does not appear in JSON, such as a named one of an array.
        case withoutEffect
        case failed(FilterError)
    }

    /// Writes a value. A value on the way that is missing, or neither object nor array, becomes an object. It becomes
    /// an array when JavaScript would read the next key as a number; arrays are filled up with null.
    func write(_ value: JSON, to event: inout JSON, limits: FilterLimits) -> Write {
        Self.write(value, keys[...], &event, limits)
    }

    private static func write(
        _ value: JSON, _ keys: ArraySlice<PathKey>, _ json: inout JSON, _ limits: FilterLimits
    ) -> Write {
        guard let key = keys.first else {
            json = value
            return .written
        }
        if unwritableNames.contains(key.name) { return .withoutEffect }
        switch json {
        case .object(var object):
            json = .null  // drops the second reference, so the change is made in place
            defer { json = .object(object) }
            let isUsable = object[key.name]?.isObjectType ?? false
            if keys.count == 1 || !isUsable { object[key.name] = start(of: value, keys) }
            return object.update(key.name) { write(value, keys.dropFirst(), &$0, limits) } ?? .withoutEffect
        case .array(var elements):
            guard let index = key.index else { return .withoutEffect }
            guard index <= max(limits.arrayIndex, elements.count - 1) else {
                return .failed(FilterError(.limit, at: "", "position \(index) is beyond \(limits.arrayIndex)"))
            }
            json = .null
            defer { json = .array(elements) }
            let isUsable = index < elements.count && elements[index].isObjectType
            while elements.count <= index { elements.append(.null) }
            if keys.count == 1 || !isUsable { elements[index] = start(of: value, keys) }
            return write(value, keys.dropFirst(), &elements[index], limits)
        case .null:
            return .failed(FilterError(.unwritable, at: "", "'\(key.name)' cannot be written into null"))
        case .bool, .number, .string:
            return .withoutEffect
        }
    }

    /// Names that evaluators in JavaScript do not write, because they have another meaning there.
    private static let unwritableNames: Set<String> = ["__proto__", "constructor", "prototype"]

    /// The value at the first key, before the rest of the path is written below it.
    private static func start(of value: JSON, _ keys: ArraySlice<PathKey>) -> JSON {
        guard let next = keys.dropFirst().first else { return value }
        return JavaScriptText.number(next.name).isFinite ? .array([]) : .object(JSONObject())
    }
}
