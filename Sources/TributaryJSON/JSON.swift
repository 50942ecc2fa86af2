/// A JSON value that keeps 64-bit integers exactly, the spelling of numbers, and the order of keys.
///
/// JSON is a value type. Copying is cheap, and it may be used from any thread.
///
/// ```swift
/// var event = try JSON.parse(#"{"name": "Order Completed", "properties": {"total": 42.10}}"#)
/// event["properties"]?["currency"] = "EUR"
/// print(event["properties"]?["total"]?.doubleValue ?? 0)    // 42.1
/// print(event)    // the total is still written as 42.10
/// ```
public enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

extension JSON {
    /// The text, when this is a string.
    public var stringValue: String? {
        if case .string(let value) = self { return value }
        return nil
    }

    /// The truth value, when this is a boolean.
    public var boolValue: Bool? {
        if case .bool(let value) = self { return value }
        return nil
    }

    /// The number, when this is a number.
    public var numberValue: JSONNumber? {
        if case .number(let value) = self { return value }
        return nil
    }

    /// The integer, when this is a number that an `Int` holds exactly.
    public var intValue: Int? { numberValue?.int64.flatMap(Int.init(exactly:)) }

    /// The nearest double, when this is a number.
    public var doubleValue: Double? { numberValue?.double }

    /// The elements, when this is an array.
    public var elements: [JSON]? {
        if case .array(let value) = self { return value }
        return nil
    }

    /// The members in their order, when this is an object.
    public var objectValue: JSONObject? {
        if case .object(let value) = self { return value }
        return nil
    }

    /// Whether this is the JSON value `null`.
    public var isNull: Bool {
        if case .null = self { return true }
        return false
    }
}

extension JSON {
    /// The member with that name; nil when this is not an object or has no such member.
    ///
    /// Setting replaces anything but an object by an object. Setting nil removes the member of an object and leaves
    /// anything else as it is.
    public subscript(key: String) -> JSON? {
        get { objectValue?[key] }
        set {
            if newValue == nil, objectValue == nil { return }
            var object = objectValue ?? JSONObject()
            self = .null  // drops the second reference, so the change below is made in place
            object[key] = newValue
            self = .object(object)
        }
    }

    /// The element at that position; nil when this is not an array or is shorter.
    public subscript(index: Int) -> JSON? {
        guard let elements, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}

// `nil` is not a literal: `flag ? value : nil` would then mean `null` for a `JSON?`, and store it instead of removing
// the member.
extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An integer, kept exactly.
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
    /// A double; a literal that is not finite becomes `null`.
    public init(floatLiteral value: Double) { self = JSONNumber(value).map(JSON.number) ?? .null }
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// An object with its members in the order of the literal. A repeated key keeps its last value.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        var object = JSONObject(minimumCapacity: elements.count)
        for (key, value) in elements { object[key] = value }
        self = .object(object)
    }
}

extension JSON: CustomStringConvertible {
    /// The JSON text on one line.
    public var description: String {
        var sink = ByteSink(capacity: 2048)
        sink.write(self)
        return String(decoding: sink.bytes, as: UTF8.self)
    }
}
