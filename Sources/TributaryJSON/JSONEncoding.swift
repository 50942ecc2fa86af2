public import Foundation

extension JSON {
    /// Encodes any `Encodable` as JSON in one pass, without a text in between.
    ///
    /// Dates become protocol timestamps, `Data` becomes base64 text, URLs become their text, and decimals exact
    /// numbers. Members keep the order in which they are encoded. Members of a dictionary, which has no order, are
    /// ordered by key. A date outside of the years 0 to 9999 is refused.
    /// - Parameter nonFinite: the rule for infinities and NaN. Default: they become 0.
    /// - Throws: `JSONError`, or the error of the value's own `encode(to:)`.
    public init<Value: Encodable>(with value: Value, nonFinite: NonFiniteNumbers = .zero) throws {
        self = try JSONEncoding(nonFinite: nonFinite).box(value, depth: 0, codingPath: [])
    }
}

/// One conversion: its rules, and how a value becomes JSON.
struct JSONEncoding {
    let nonFinite: NonFiniteNumbers
    /// Collects members that cannot be encoded. Nil makes them an error.
    var leftOut: LeftOutValues?
    /// Containers with as many around them have no JSON form.
    var limit = JSONLimits().depth
    /// The number of values around this one that encode only another value. They add no level to the JSON, so a value
    /// that encodes itself in this way would never end.
    var wrappers = 0

    /// - Parameter codingPath: evaluated only for values that encode themselves, because most members do not.
    func box<Value: Encodable>(
        _ value: Value, depth: Int, codingPath: @autoclosure () -> [any CodingKey]
    ) throws -> JSON {
        if let known = try leaf(value) { return known }
        guard depth <= limit, wrappers <= limit else { throw JSONError.tooDeep(limit: limit) }
        let node = EncodingNode(depth: depth, limit: limit, isSorted: Value.self is any StringKeyed.Type)
        let path = codingPath()
        do {
            try value.encode(to: ValueEncoder(node: node, encoding: self, codingPath: path))
        } catch {
            // Members that were encoded before the error are kept, if there are any.
            guard let leftOut, node.hasMembers else { throw error }
            leftOut.add(LeftOutValue(path.map(\.stringValue), error))
        }
        return try node.json(leftOut, path)
    }

    /// Converts a member or an element; nil when it is left out.
    func member(_ path: @autoclosure () -> [any CodingKey], _ convert: () throws -> JSON) throws -> JSON? {
        do {
            let known = leftOut?.count ?? 0
            let json = try convert()
            leftOut?.locate(path().map(\.stringValue), after: known)
            return json
        } catch {
            guard let leftOut else { throw error }
            leftOut.add(LeftOutValue(path().map(\.stringValue), error))
            return nil
        }
    }

    /// Converts types with an own `Encodable` form that differs from the field's, the JSON type itself, and the scalars
    /// of arrays and dictionaries. Types are compared by identity, because casts of a generic value are slow.
    private func leaf<Value: Encodable>(_ value: Value) throws -> JSON? {
        let type: Any.Type = Value.self
        if type == String.self { return (value as? String).map(JSON.string) }
        if type == Int.self { return (value as? Int).map { .number(JSONNumber($0)) } }
        if type == Bool.self { return (value as? Bool).map(JSON.bool) }
        if type == Double.self { return try (value as? Double).map { try nonFinite.json($0, leftOut) } }
        if type == JSON.self { return value as? JSON }
        if type == Date.self { return try (value as? Date).map(JSON.date) }
        if type == URL.self { return (value as? URL).map { .string($0.absoluteString) } }
        if type == Data.self { return (value as? Data).map { .string($0.base64EncodedString()) } }
        if type == Decimal.self { return try (value as? Decimal).map { try JSON.number($0, nonFinite, leftOut) } }
        return nil
    }
}

/// A dictionary that becomes an object. It has no order, so its members are ordered by key.
private protocol StringKeyed {}
extension Dictionary: StringKeyed where Key == String {}

struct ValueEncoder: Encoder {
    let node: EncodingNode
    let encoding: JSONEncoding
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.become(.object)
        return KeyedEncodingContainer(KeyedContainer(node: node, encoding: encoding, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.become(.array)
        return ListContainer(node: node, encoding: encoding, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleContainer(node: node, encoding: encoding, codingPath: codingPath)
    }
}

private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodingNode
    let encoding: JSONEncoding
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { set(.null, key) }
    func encode(_ value: Bool, forKey key: Key) { set(.bool(value), key) }
    func encode(_ value: String, forKey key: Key) { set(.string(value), key) }
    func encode(_ value: Double, forKey key: Key) throws {
        try set(key) { try encoding.nonFinite.json(value, encoding.leftOut) }
    }
    func encode(_ value: Float, forKey key: Key) throws {
        try set(key) { try JSON.float(value, encoding.nonFinite, encoding.leftOut) }
    }
    func encode(_ value: Int, forKey key: Key) { set(.number(JSONNumber(value)), key) }
    func encode<Value: Encodable & BinaryInteger>(_ value: Value, forKey key: Key) {
        set(.number(JSONNumber(value)), key)
    }
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: Int128, forKey key: Key) { set(.number(JSONNumber(value)), key) }
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: UInt128, forKey key: Key) { set(.number(JSONNumber(value)), key) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try set(key) { try encoding.box(value, depth: node.depth + 1, codingPath: codingPath + [key]) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { nested(AnyKey("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func set(_ value: JSON, _ key: Key) { node.set(value, for: key.stringValue) }

    private func set(_ key: Key, _ convert: () throws -> JSON) throws {
        if let value = try encoding.member(codingPath + [key], convert) { set(value, key) }
    }

    private func nested(_ key: some CodingKey) -> ValueEncoder {
        ValueEncoder(node: node.child(for: key.stringValue), encoding: encoding, codingPath: codingPath + [key])
    }
}

private struct ListContainer: UnkeyedEncodingContainer {
    let node: EncodingNode
    let encoding: JSONEncoding
    let codingPath: [any CodingKey]
    var count: Int { node.count }

    func encodeNil() { append(.null) }
    func encode(_ value: Bool) { append(.bool(value)) }
    func encode(_ value: String) { append(.string(value)) }
    func encode(_ value: Double) throws { try append { try encoding.nonFinite.json(value, encoding.leftOut) } }
    func encode(_ value: Float) throws { try append { try JSON.float(value, encoding.nonFinite, encoding.leftOut) } }
    func encode(_ value: Int) { append(.number(JSONNumber(value))) }
    func encode<Value: Encodable & BinaryInteger>(_ value: Value) { append(.number(JSONNumber(value))) }
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: Int128) { append(.number(JSONNumber(value))) }
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: UInt128) { append(.number(JSONNumber(value))) }
    func encode<Value: Encodable>(_ value: Value) throws {
        try append { try encoding.box(value, depth: node.depth + 1, codingPath: codingPath + [AnyKey("\(count)")]) }
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
    func superEncoder() -> any Encoder { nested() }

    private func append(_ value: JSON) { node.append(value) }

    private func append(_ convert: () throws -> JSON) throws {
        if let value = try encoding.member(codingPath + [AnyKey("\(count)")], convert) { append(value) }
    }

    private func nested() -> ValueEncoder {
        let key = AnyKey("\(count)")
        return ValueEncoder(node: node.appendChild(), encoding: encoding, codingPath: codingPath + [key])
    }
}

private struct SingleContainer: SingleValueEncodingContainer {
    let node: EncodingNode
    let encoding: JSONEncoding
    let codingPath: [any CodingKey]

    func encodeNil() { node.put(.null) }
    func encode(_ value: Bool) { node.put(.bool(value)) }
    func encode(_ value: String) { node.put(.string(value)) }
    func encode(_ value: Double) throws { node.put(try encoding.nonFinite.json(value, encoding.leftOut)) }
    func encode(_ value: Float) throws { node.put(try JSON.float(value, encoding.nonFinite, encoding.leftOut)) }
    func encode(_ value: Int) { node.put(.number(JSONNumber(value))) }
    func encode<Value: Encodable & BinaryInteger>(_ value: Value) { node.put(.number(JSONNumber(value))) }
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: Int128) { node.put(.number(JSONNumber(value))) }
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func encode(_ value: UInt128) { node.put(.number(JSONNumber(value))) }
    func encode<Value: Encodable>(_ value: Value) throws {
        var encoding = encoding
        encoding.wrappers += 1
        node.put(try encoding.box(value, depth: node.depth, codingPath: codingPath))
    }
}

struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { stringValue = String(intValue) }
}

extension JSON {
    static func number(
        _ value: Decimal, _ nonFinite: NonFiniteNumbers, _ noted: LeftOutValues? = nil
    ) throws(JSONError) -> JSON {
        guard value.isFinite else { return try nonFinite.json(.nan, noted) }
        let text = value.description  // plain digits in every locale, never an exponent
        if let integer = Int64(text) { return .number(JSONNumber(integer)) }
        return .number(JSONNumber(storage: .spelling(text)))
    }

    /// The timestamp of a date. A date that a timestamp cannot hold is refused: another date in its place would be
    /// wrong without a word.
    static func date(_ value: Date) throws(JSONError) -> JSON {
        guard let milliseconds = ISO8601.exactMilliseconds(of: value) else {
            throw JSONError(.outOfRange, "a date outside of the years 0 to 9999 has no JSON form")
        }
        return .string(ISO8601.string(milliseconds: milliseconds))
    }

    /// A float keeps its own shortest text: 0.1, not the double 0.10000000149011612.
    static func float(
        _ value: Float, _ nonFinite: NonFiniteNumbers, _ noted: LeftOutValues? = nil
    ) throws(JSONError) -> JSON {
        guard value.isFinite else { return try nonFinite.json(Double(value), noted) }
        return try nonFinite.json(Double(value.description) ?? Double(value), noted)
    }
}

extension ISO8601 {
    /// Writes a date in the protocol's form.
    public static func string(date: Date) -> String { string(milliseconds: milliseconds(of: date)) }

    /// Milliseconds since 1970, rounded to the nearest; nil for a date that is not a number, or outside of the years 0
    /// to 9999.
    package static func exactMilliseconds(of date: Date) -> Int64? {
        Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()).flatMap { range.contains($0) ? $0 : nil }
    }

    /// Milliseconds since 1970, rounded to the nearest, so that a timestamp that was read is written unchanged. Dates
    /// beyond the protocol's range are clamped.
    public static func milliseconds(of date: Date) -> Int64 {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }
}
