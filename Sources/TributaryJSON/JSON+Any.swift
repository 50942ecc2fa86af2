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

    /// This value as code of Foundation knows it: `[String: Any]`, `[Any]`, `String`, `Bool`, `NSNumber`, `NSNull`.
    ///
    /// A number is an `NSNumber`, so it casts to every type of numbers that holds it: `as? Double`, `as? Int`,
    /// `as? UInt`, `as? Float`, and a dictionary of numbers `as? [String: Double]`. On Apple's systems it is an
    /// `NSDecimalNumber`, which casts to `Decimal` too, where Foundation gives its integer and its double back exactly.
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

    /// The members as ``anyValue`` gives them, when this is an object.
    public var dictionaryValue: [String: Any]? { objectValue == nil ? nil : anyValue as? [String: Any] }

    /// The elements as ``anyValue`` gives them, when this is an array.
    public var arrayValue: [Any]? { elements?.map(\.anyValue) }
}
