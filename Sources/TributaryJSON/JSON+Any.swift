import Foundation

extension JSON {
    /// Turns a value of Foundation's or Swift's own types into JSON: dictionaries with string keys, arrays, numbers,
    /// strings, booleans, dates, URLs, `NSNull`, optionals, anything `Encodable`.
    ///
    /// A dictionary's members are ordered by key, because a dictionary has no order of its own.
    /// - Parameter nonFinite: what becomes of infinities and NaN; 0 unless you say otherwise.
    /// - Throws: `JSONError` that names the type that has no JSON form and the keys that lead to it.
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
