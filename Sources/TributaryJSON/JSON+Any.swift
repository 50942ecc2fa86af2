import Foundation

extension JSON {
    /// Turns a value of Foundation's or Swift's own types into JSON: dictionaries with string keys, arrays, numbers,
    /// strings, booleans, dates, URLs, `NSNull`, optionals, anything `Encodable`.
    /// A date outside of the years 0 to 9999 is refused.
    ///
    /// A dictionary's members are ordered by key, because a dictionary has no order of its own.
    /// - Parameter nonFinite: the rule for infinities and NaN. Default: they become 0.
    /// - Throws: `JSONError` that names the type that has no JSON form and the keys that lead to it.
    public init(_ value: Any, nonFinite: NonFiniteNumbers = .zero) throws {
        self = try AnyConversion(nonFinite: nonFinite).json(value, depth: 0)
    }

    /// The object of a dictionary; nil stays nil. Throws like the first form.
    public init?(nilOrObject value: [String: Any]?, nonFinite: NonFiniteNumbers = .zero) throws {
        guard let value else { return nil }
        try self.init(value, nonFinite: nonFinite)
    }

    /// This value in types of Foundation: `[String: Any]`, `[Any]`, `String`, `Bool`, `NSNumber`, `NSNull`.
    ///
    /// A number is an `NSNumber`, so it casts to every number type that can hold it: `as? Double`, `as? Int`, `as?
    /// UInt`, `as? Float`, and a dictionary of numbers `as? [String: Double]`. On Apple's systems, where Foundation
    /// returns its integer and its double exactly, it is an `NSDecimalNumber`, which also casts to `Decimal`.
    /// ``decimalValue`` has the decimal of each number on every system.
    public var anyValue: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .number(let number): number.foundationNumber
        case .string(let value): value
        case .array(let elements): elements.map(\.anyValue)
        case .object(let object):
            Dictionary(object.map { ($0.key, $0.value.anyValue) }, uniquingKeysWith: { _, last in last })
        }
    }

    /// The members as ``anyValue``, when this is an object.
    public var dictionaryValue: [String: Any]? { objectValue == nil ? nil : anyValue as? [String: Any] }

    /// The elements as ``anyValue``, when this is an array.
    public var arrayValue: [Any]? { elements?.map(\.anyValue) }
}
