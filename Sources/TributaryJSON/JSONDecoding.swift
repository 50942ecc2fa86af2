import Foundation

extension JSON {
    /// Decodes a type from this value, without a text in between.
    ///
    /// Dates are read from protocol timestamps, `Data` from base64 text.
    /// - Throws: `DecodingError` with the path of the value that does not fit.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try ValueDecoder(json: self, codingPath: []).unbox(type)
    }

    /// Like `decode`, but nil when the value does not fit. The name in analytics-swift.
    public func codableValue<Value: Decodable>() -> Value? { try? decode(Value.self) }
}

extension JSON: Codable {
    /// Encodes the value with any encoder. This library's encoder is exact; others get 64-bit integers and doubles.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? ValueEncoder { return encoder.node.merge(self) }
        switch self {
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .object(let object):
            var container = encoder.container(keyedBy: AnyKey.self)
            for (key, value) in object { try container.encode(value, forKey: AnyKey(key)) }
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar(into: &container)
        }
    }

    private func encodeScalar(into container: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .bool(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .number(let number):
            switch number.storage {
            case .signed(let value): try container.encode(value)
            case .unsigned(let value): try container.encode(value)
            case .double(let value): try container.encode(value)
            case .spelling: try encodeSpelled(number, into: &container)
            }
        default: try container.encodeNil()
        }
    }

    private func encodeSpelled(
        _ number: JSONNumber, into container: inout any SingleValueEncodingContainer
    ) throws {
        if let value = number.int64 {
            try container.encode(value)
        } else if let value = number.uint64 {
            try container.encode(value)
        } else {
            try container.encode(number.double)
        }
    }

    /// Decodes any value. This library's decoder is exact; with another decoder, that decoder decides how exact numbers
    /// are.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? ValueDecoder {
            self = decoder.json
        } else if let container = try? decoder.container(keyedBy: AnyKey.self) {
            var object = JSONObject()
            for key in container.allKeys { object[key.stringValue] = try container.decode(JSON.self, forKey: key) }
            self = .object(object)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSON] = []
            while !container.isAtEnd { elements.append(try container.decode(JSON.self)) }
            self = .array(elements)
        } else {
            self = try Self.scalar(decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSON {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int64.self) { return .number(JSONNumber(value)) }
        if let value = try? container.decode(UInt64.self) { return .number(JSONNumber(value)) }
        if let value = try? container.decode(Double.self) { return try NonFiniteNumbers.refuse.json(value) }
        return .string(try container.decode(String.self))
    }
}

struct ValueDecoder: Decoder {
    let json: JSON
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let object = json.objectValue else { throw mismatch([String: JSON].self, "an object") }
        return KeyedDecodingContainer(KeyedReader(object: object, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = json.elements else { throw mismatch([JSON].self, "an array") }
        return ListReader(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { SingleReader(decoder: self) }

    func unbox<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let known = try known(type), let value = known as? Value { return value }
        return try Value(from: self)
    }

    /// Decodes types with an own `Decodable` form that differs from the field's, and the JSON type itself.
    private func known(_ type: any Decodable.Type) throws -> Any? {
        if type == JSON.self { return json }
        if type == Date.self { return try date() }
        if type == URL.self { return try fitting(type, "a URL", json.stringValue.flatMap(URL.init(string:))) }
        if type == Data.self {
            return try fitting(type, "base64 text", json.stringValue.flatMap { Data(base64Encoded: $0) })
        }
        if type == Decimal.self {
            return try fitting(type, "a number", json.numberValue.flatMap { Decimal(string: $0.description) })
        }
        return nil
    }

    private func date() throws -> Date {
        let milliseconds = try fitting(Date.self, "a timestamp", json.stringValue.flatMap(ISO8601.milliseconds))
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    private func fitting<Value>(_ type: Any.Type, _ wanted: String, _ value: Value?) throws -> Value {
        guard let value else { throw mismatch(type, wanted) }
        return value
    }

    func bool() throws -> Bool {
        guard let value = json.boolValue else { throw mismatch(Bool.self, "a boolean") }
        return value
    }

    func string() throws -> String {
        guard let value = json.stringValue else { throw mismatch(String.self, "a string") }
        return value
    }

    func double() throws -> Double {
        guard let number = json.numberValue else { throw mismatch(Double.self, "a number") }
        guard number.double.isFinite else { throw outOfRange(number, Double.self) }
        return number.double
    }

    func float() throws -> Float {
        let value = Float(try double())
        guard value.isFinite else { throw outOfRange(json, Float.self) }
        return value
    }

    func integer<Value: BinaryInteger>(_ type: Value.Type) throws -> Value {
        let (signed, unsigned) = try integers(type)
        if let value = signed.flatMap(Value.init(exactly:)) { return value }
        if let value = unsigned.flatMap(Value.init(exactly:)) { return value }
        throw outOfRange(json, type)
    }

    /// The number as both kinds of integers, where it is one. One version for all types of integers.
    @inline(never)
    private func integers(_ type: Any.Type) throws -> (Int64?, UInt64?) {
        guard let number = json.numberValue else { throw mismatch(type, "a number") }
        return (number.int64, number.uint64)
    }

    /// Integers of more than 64 bits are read from their digits.
    func wideInteger<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        if let number = json.numberValue, let value = Self.digits(number.description, type) { return value }
        return try integer(type)
    }

    /// The integer that is written in decimal digits. The standard library's way would be compiled with all its code for other
    /// bases, for each type.
    private static func digits<Value: FixedWidthInteger>(_ text: String, _ type: Value.Type) -> Value? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = text.utf8.dropFirst(isNegative ? 1 : 0)
        guard !digits.isEmpty else { return nil }
        var value: Value = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let digit = Value(byte - UInt8(ascii: "0"))
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isBeyond) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !isTooLarge, !isBeyond else { return nil }
            value = sum
        }
        return value
    }

    private func outOfRange(_ number: some CustomStringConvertible, _ type: Any.Type) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: "\(number) does not fit in \(type)"))
    }

    func mismatch(_ type: Any.Type, _ wanted: String) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "expected \(wanted)"))
    }
}

private struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: JSONObject
    let codingPath: [any CodingKey]
    var allKeys: [Key] { object.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try value(key).isNull }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try at(key).bool() }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try at(key).string() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try at(key).double() }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try at(key).float() }
    func decode<Value: Decodable & BinaryInteger>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try at(key).integer(type)
    }
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try at(key).wideInteger(type) }
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try at(key).wideInteger(type) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try at(key).unbox(type) }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try at(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try at(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { at("super") }
    func superDecoder(forKey key: Key) throws -> any Decoder { try at(key) }

    private func value(_ key: Key) throws -> JSON {
        if let value = object[key.stringValue] { return value }
        throw DecodingError.keyNotFound(
            key, .init(codingPath: codingPath, debugDescription: "'\(key.stringValue)' is missing"))
    }

    private func at(_ key: Key) throws -> ValueDecoder {
        ValueDecoder(json: try value(key), codingPath: codingPath + [key])
    }

    private func at(_ key: String) -> ValueDecoder {
        ValueDecoder(json: object[key] ?? .null, codingPath: codingPath + [AnyKey(key)])
    }
}

private struct ListReader: UnkeyedDecodingContainer {
    let elements: [JSON]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    init(elements: [JSON], codingPath: [any CodingKey]) {
        self.elements = elements
        self.codingPath = codingPath
    }

    mutating func decodeNil() throws -> Bool {
        guard try peek(JSON.self).json.isNull else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type) { try $0.bool() } }
    mutating func decode(_ type: String.Type) throws -> String { try next(type) { try $0.string() } }
    mutating func decode(_ type: Double.Type) throws -> Double { try next(type) { try $0.double() } }
    mutating func decode(_ type: Float.Type) throws -> Float { try next(type) { try $0.float() } }
    mutating func decode<Value: Decodable & BinaryInteger>(_ type: Value.Type) throws -> Value {
        try next(type) { try $0.integer(type) }
    }
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) { try $0.wideInteger(type) } }
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) { try $0.wideInteger(type) } }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next(type) { try $0.unbox(type) } }
    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    {
        try next(JSONObject.self) { try $0.container(keyedBy: type) }
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next([JSON].self) { try $0.unkeyedContainer() }
    }
    mutating func superDecoder() throws -> any Decoder { try next(JSON.self) { $0 } }

    /// Reads the next element. The place moves only when reading succeeded, as the protocol demands.
    private mutating func next<Value>(_ type: Any.Type, _ read: (ValueDecoder) throws -> Value) throws -> Value {
        let value = try read(peek(type))
        currentIndex += 1
        return value
    }

    private func peek(_ type: Any.Type) throws -> ValueDecoder {
        let path = codingPath + [AnyKey("\(currentIndex)")]
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(type, .init(codingPath: path, debugDescription: "the array ends here"))
        }
        return ValueDecoder(json: elements[currentIndex], codingPath: path)
    }
}

private struct SingleReader: SingleValueDecodingContainer {
    let decoder: ValueDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.json.isNull }
    func decode(_ type: Bool.Type) throws -> Bool { try decoder.bool() }
    func decode(_ type: String.Type) throws -> String { try decoder.string() }
    func decode(_ type: Double.Type) throws -> Double { try decoder.double() }
    func decode(_ type: Float.Type) throws -> Float { try decoder.float() }
    func decode<Value: Decodable & BinaryInteger>(_ type: Value.Type) throws -> Value { try decoder.integer(type) }
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try decoder.wideInteger(type) }
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try decoder.wideInteger(type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.unbox(type) }
}
