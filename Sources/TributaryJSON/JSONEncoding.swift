public import Foundation

extension JSON {
    /// Turns any `Encodable` into JSON in one pass, without a text in between.
    ///
    /// Dates become protocol timestamps, `Data` base64 text, URLs their text, decimals exact numbers.
    /// - Parameter nonFinite: what becomes of infinities and NaN; 0 unless you say otherwise.
    /// - Throws: `JSONError`, or what the value's own `encode(to:)` throws.
    public init<Value: Encodable>(with value: Value, nonFinite: NonFiniteNumbers = .zero) throws {
        self = try JSONEncoding(nonFinite: nonFinite).box(value, codingPath: [])
    }
}

/// One conversion: the rules in force, and how a value becomes JSON.
struct JSONEncoding {
    let nonFinite: NonFiniteNumbers

    func box<Value: Encodable>(_ value: Value, codingPath: [any CodingKey]) throws -> JSON {
        if let known = try leaf(value) { return known }
        guard codingPath.count <= JSONLimits().depth else {
            throw JSONError(.tooDeep, "a value is nested deeper than \(JSONLimits().depth) levels")
        }
        let node = EncodingNode()
        try value.encode(to: ValueEncoder(node: node, encoding: self, codingPath: codingPath))
        return node.json
    }

    /// Types whose own `Encodable` form is not what the field sends, and the JSON type itself.
    private func leaf(_ value: some Encodable) throws -> JSON? {
        switch value {
        case let value as JSON: value
        case let value as Date: .string(ISO8601.string(date: value))
        case let value as URL: .string(value.absoluteString)
        case let value as Data: .string(value.base64EncodedString())
        case let value as Decimal: try JSON.number(value, nonFinite)
        default: nil
        }
    }
}

/// A container under construction: shared by the encoder and the containers that were made from it.
final class EncodingNode {
    enum Member {
        case json(JSON)
        case node(EncodingNode)

        var json: JSON {
            switch self {
            case .json(let value): value
            case .node(let node): node.json
            }
        }
    }

    enum Content {
        case empty
        case single(JSON)
        case array([Member])
        case object([(key: String, value: Member)])
    }

    var content = Content.empty

    var json: JSON {
        switch content {
        case .empty: return [:]
        case .single(let value): return value
        case .array(let members): return .array(members.map(\.json))
        case .object(let members):
            var object = JSONObject(minimumCapacity: members.count)
            for (key, member) in members { object[key] = member.json }
            return .object(object)
        }
    }

    func becomeObject() {
        if case .object = content { return }
        content = .object([])
    }

    func becomeArray() {
        if case .array = content { return }
        content = .array([])
    }

    func set(_ member: Member, for key: String) {
        guard case .object(var members) = content else { return }
        content = .empty  // leaves one owner, so that appending does not copy
        members.append((key, member))
        content = .object(members)
    }

    func append(_ member: Member) {
        guard case .array(var members) = content else { return }
        content = .empty
        members.append(member)
        content = .array(members)
    }

    var count: Int {
        if case .array(let members) = content { return members.count }
        return 0
    }
}

struct ValueEncoder: Encoder {
    let node: EncodingNode
    let encoding: JSONEncoding
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(KeyedContainer(node: node, encoding: encoding, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
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

    func encodeNil(forKey key: Key) { node.set(.json(.null), for: key.stringValue) }
    func encode(_ value: Bool, forKey key: Key) { node.set(.json(.bool(value)), for: key.stringValue) }
    func encode(_ value: String, forKey key: Key) { node.set(.json(.string(value)), for: key.stringValue) }
    func encode(_ value: Double, forKey key: Key) throws {
        node.set(.json(try encoding.nonFinite.json(value)), for: key.stringValue)
    }
    func encode(_ value: Float, forKey key: Key) throws {
        node.set(.json(try JSON.float(value, encoding.nonFinite)), for: key.stringValue)
    }
    func encode<Value: Encodable & BinaryInteger>(_ value: Value, forKey key: Key) {
        node.set(.json(.number(JSONNumber(value))), for: key.stringValue)
    }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        node.set(.json(try encoding.box(value, codingPath: codingPath + [key])), for: key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { nested(AnyKey("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: some CodingKey) -> ValueEncoder {
        let child = EncodingNode()
        node.set(.node(child), for: key.stringValue)
        return ValueEncoder(node: child, encoding: encoding, codingPath: codingPath + [key])
    }
}

private struct ListContainer: UnkeyedEncodingContainer {
    let node: EncodingNode
    let encoding: JSONEncoding
    let codingPath: [any CodingKey]
    var count: Int { node.count }

    func encodeNil() { node.append(.json(.null)) }
    func encode(_ value: Bool) { node.append(.json(.bool(value))) }
    func encode(_ value: String) { node.append(.json(.string(value))) }
    func encode(_ value: Double) throws { node.append(.json(try encoding.nonFinite.json(value))) }
    func encode(_ value: Float) throws { node.append(.json(try JSON.float(value, encoding.nonFinite))) }
    func encode<Value: Encodable & BinaryInteger>(_ value: Value) { node.append(.json(.number(JSONNumber(value)))) }
    func encode<Value: Encodable>(_ value: Value) throws {
        node.append(.json(try encoding.box(value, codingPath: codingPath + [AnyKey("\(count)")])))
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
    func superEncoder() -> any Encoder { nested() }

    private func nested() -> ValueEncoder {
        let child = EncodingNode()
        let key = AnyKey("\(count)")
        node.append(.node(child))
        return ValueEncoder(node: child, encoding: encoding, codingPath: codingPath + [key])
    }
}

private struct SingleContainer: SingleValueEncodingContainer {
    let node: EncodingNode
    let encoding: JSONEncoding
    let codingPath: [any CodingKey]

    func encodeNil() { node.content = .single(.null) }
    func encode(_ value: Bool) { node.content = .single(.bool(value)) }
    func encode(_ value: String) { node.content = .single(.string(value)) }
    func encode(_ value: Double) throws { node.content = .single(try encoding.nonFinite.json(value)) }
    func encode(_ value: Float) throws { node.content = .single(try JSON.float(value, encoding.nonFinite)) }
    func encode<Value: Encodable & BinaryInteger>(_ value: Value) { node.content = .single(.number(JSONNumber(value))) }
    func encode<Value: Encodable>(_ value: Value) throws {
        node.content = .single(try encoding.box(value, codingPath: codingPath + [AnyKey("value")]))
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
    static func number(_ value: Decimal, _ nonFinite: NonFiniteNumbers) throws(JSONError) -> JSON {
        guard value.isFinite else { return try nonFinite.json(.nan) }
        let text = value.description  // plain digits in every locale, never an exponent
        if let integer = Int64(text) { return .number(JSONNumber(integer)) }
        return .number(JSONNumber(storage: .spelling(text)))
    }

    /// A float keeps its own shortest spelling: 0.1, not the double 0.10000000149011612.
    static func float(_ value: Float, _ nonFinite: NonFiniteNumbers) throws(JSONError) -> JSON {
        guard value.isFinite else { return try nonFinite.json(Double(value)) }
        return try nonFinite.json(Double(value.description) ?? Double(value))
    }
}

extension ISO8601 {
    /// Writes a date in the protocol's form.
    public static func string(date: Date) -> String { string(milliseconds: milliseconds(of: date)) }

    /// Milliseconds since 1970, rounded down; dates beyond the protocol's range are clamped.
    public static func milliseconds(of date: Date) -> Int64 {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
        return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }
}
