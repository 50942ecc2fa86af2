import Foundation

extension JSON {
    /// Turns a value of Foundation's or Swift's own types into JSON: dictionaries with string keys, arrays, numbers,
    /// strings, booleans, dates, URLs, `NSNull`, optionals, anything `Encodable`.
    ///
    /// A dictionary's members are ordered by key, because a dictionary has no order of its own.
    /// - Parameter nonFinite: what becomes of infinities and NaN; 0 unless you say otherwise.
    /// - Throws: `JSONError` that names the type that has no JSON form.
    public init(_ value: Any, nonFinite: NonFiniteNumbers = .zero) throws {
        self = try AnyConversion(nonFinite: nonFinite).json(value, depth: 0)
    }

    /// The object of a dictionary; nil stays nil. What cannot be converted is an error of the first form.
    public init?(nilOrObject value: [String: Any]?, nonFinite: NonFiniteNumbers = .zero) throws {
        guard let value else { return nil }
        try self.init(value, nonFinite: nonFinite)
    }

    /// This value in Swift's own types: `[String: Any]`, `[Any]`, `String`, `Bool`, `Int`, `UInt64`, `Double`, `NSNull`.
    public var anyValue: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .number(let number): number.anyValue
        case .string(let value): value
        case .array(let elements): elements.map(\.anyValue)
        case .object(let object):
            Dictionary(object.map { ($0.key, $0.value.anyValue) }, uniquingKeysWith: { _, last in last })
        }
    }

    /// The members in Swift's own types, when this is an object.
    public var dictionaryValue: [String: Any]? { objectValue == nil ? nil : anyValue as? [String: Any] }

    /// The elements in Swift's own types, when this is an array.
    public var arrayValue: [Any]? { elements?.map(\.anyValue) }
}

extension JSONNumber {
    /// An `Int` when it fits exactly, else a `UInt64`, else the nearest `Double`.
    fileprivate var anyValue: Any {
        if let value = int64.flatMap(Int.init(exactly:)) { return value }
        if let value = uint64 { return value }
        return double
    }
}

private struct AnyConversion {
    let nonFinite: NonFiniteNumbers

    func json(_ value: Any, depth: Int) throws -> JSON {
        guard depth <= JSONLimits().depth else {
            throw JSONError(.tooDeep, "a value is nested deeper than \(JSONLimits().depth) levels")
        }
        switch value {
        case let value as JSON: return value
        case let value as String: return .string(value)
        #if canImport(ObjectiveC)
        case let value as NSNumber: return try number(value)
        #endif
        case let value as Bool: return .bool(value)
        case let value as Double: return try nonFinite.json(value)
        case let value as Float: return try JSON.float(value, nonFinite)
        case let value as any BinaryInteger: return .number(JSONNumber(value))
        case let value as Decimal: return try JSON.number(value, nonFinite)
        case let value as [String: Any]: return try object(value, depth: depth)
        case let value as [Any]: return .array(try value.map { try json($0, depth: depth + 1) })
        case is NSNull: return .null
        case let value as NSNumber: return try number(value)
        case let value as any Encodable: return try JSON(with: value, nonFinite: nonFinite)
        default: return try unwrapped(value, depth: depth)
        }
    }

    private func object(_ dictionary: [String: Any], depth: Int) throws -> JSON {
        var object = JSONObject()
        for key in dictionary.keys.sorted() {
            guard let value = dictionary[key] else { continue }
            object[key] = try json(value, depth: depth + 1)
        }
        return .object(object)
    }

    /// `NSNumber` says by its type code what it was made from.
    private func number(_ value: NSNumber) throws -> JSON {
        switch value.objCType.pointee {
        case CChar(UInt8(ascii: "c")) where value === kTrue || value === kFalse: return .bool(value.boolValue)
        case CChar(UInt8(ascii: "B")): return .bool(value.boolValue)
        case CChar(UInt8(ascii: "d")): return try nonFinite.json(value.doubleValue)
        case CChar(UInt8(ascii: "f")): return try JSON.float(value.floatValue, nonFinite)
        case CChar(UInt8(ascii: "Q")): return .number(JSONNumber(value.uint64Value))
        default: return .number(JSONNumber(value.int64Value))
        }
    }

    /// Optionals arrive here as `Any`; a mirror is the only way to look inside one.
    private func unwrapped(_ value: Any, depth: Int) throws -> JSON {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else {
            throw JSONError(.unsupportedType, "a value of type \(type(of: value)) has no JSON form")
        }
        guard let wrapped = mirror.children.first?.value else { return .null }
        return try json(wrapped, depth: depth + 1)
    }
}

/// The two objects that stand for booleans; every other `NSNumber` of type "c" is a small integer.
private let kTrue = NSNumber(value: true)  // never changed after it is made
private let kFalse = NSNumber(value: false)  // never changed after it is made
