import Foundation

/// Turns a value of unknown type into JSON.
struct AnyConversion {
    let nonFinite: NonFiniteNumbers
    /// Collects values without a JSON form. Nil makes them an error.
    var leftOut: LeftOutValues?
    /// Arrays and dictionaries with as many around them have no JSON form.
    var limit = JSONLimits().depth
    /// Replaces values of an app's own types by values with a JSON form; nil keeps the value.
    var replacement: ((Any) -> Any?)?

    /// - Parameter depth: the number of arrays and dictionaries around the value.
    func json(_ value: Any, depth: Int) throws -> JSON {
        if let other = replacement?(value) {
            try checkDepth(depth)
            return try json(other, depth: depth + 1)
        }
        if let known = try native(value, depth: depth) { return known }
        if let inner = try unwrapped(value, depth: depth) { return inner }
        switch value {
        case let value as JSON: return value
        case let value as JSONObject: return .object(value)
        case let value as String: return .string(value)
        case let value as any StringProtocol: return .string(String(value))
        case let value as any BinaryInteger: return .number(JSONNumber(value))
        case let value as Decimal: return try JSON.number(value, nonFinite, leftOut)
        case let value as NSNumber: return try number(value)
        case let value as Date: return try JSON.date(value)
        case let value as URL: return .string(value.absoluteString)
        case let value as Data: return .string(value.base64EncodedString())
        case let value as UUID: return .string(value.uuidString)
        case let value as [String: Any]: return try object(value, depth: depth)
        case let value as [Any]: return try array(value, depth: depth)
        case is NSNull: return .null
        case let value as Set<AnyHashable>: return try set(Array(value), depth: depth)
        case let value as any Encodable:
            return try JSONEncoding(nonFinite: nonFinite, leftOut: leftOut, limit: limit)
                .box(value, depth: depth, codingPath: [])
        default: return try others(value, depth: depth)
        }
    }

    /// Converts the common types. They are recognised by identity: a cast is slow, and it converts (`NSNumber(value: 1)
    /// as? Bool` is true on Linux, `1 as? NSNumber` is a number on every system).
    private func native(_ value: Any, depth: Int) throws -> JSON? {
        let type = type(of: value)
        if type == String.self { return Self.exact(value).map(JSON.string) }
        if type == Int.self { return Self.exact(value).map { (value: Int) in .number(JSONNumber(value)) } }
        if type == Bool.self { return Self.exact(value).map(JSON.bool) }
        if type == Double.self {
            return try Self.exact(value).map { (value: Double) in try nonFinite.json(value, leftOut) }
        }
        if type == Float.self { return try (value as? Float).map { try JSON.float($0, nonFinite, leftOut) } }
        if type == [String: Any].self { return try (value as? [String: Any]).map { try object($0, depth: depth) } }
        if type == [[String: Any]].self {
            return try (value as? [[String: Any]]).map { try array($0, depth: depth) { try object($0, depth: $1) } }
        }
        if type == [String].self {
            return try (value as? [String]).map { try array($0, depth: depth) { value, _ in .string(value) } }
        }
        if type == [Int].self {
            return try (value as? [Int]).map { try array($0, depth: depth) { value, _ in .number(JSONNumber(value)) } }
        }
        if type == [Any].self { return try (value as? [Any]).map { try array($0, depth: depth) } }
        return nil
    }

    /// A value of exactly this type. A cast at run time also looks for conversions, and costs ten times as much.
    private static func exact<Value, Exact>(_ value: Value) -> Exact? {
        Value.self == Exact.self ? unsafeBitCast(value, to: Exact.self) : nil
    }

    /// Converts the contents of an optional, an `AnyHashable` or a collection of Foundation. These come before any cast: a
    /// cast would convert everything in them at once.
    private func unwrapped(_ value: Any, depth: Int) throws -> JSON? {
        if let value = value as? any AnyOptional {
            guard let wrapped = value.wrapped else { return .null }
            return try json(wrapped, depth: depth)
        }
        if type(of: value) == AnyHashable.self, let value = value as? AnyHashable {
            return try json(value.base, depth: depth)
        }
        switch FoundationCollection(value) {
        case .dictionary(let members): return try dictionary(members, depth: depth)
        case .array(let elements): return try array(elements, depth: depth)
        case .set(let elements): return try set(elements, depth: depth)
        case nil: return nil
        }
    }

    private func object(_ dictionary: [String: Any], depth: Int) throws -> JSON {
        try checkDepth(depth)
        var object = JSONObject(minimumCapacity: dictionary.count)
        // The keys of a dictionary already differ. Members are sorted as JSON, when they are small.
        for (key, value) in dictionary {
            if let json = try located(key, { try json(value, depth: depth + 1) }) { object.append(key, json) }
        }
        object.sort()
        return .object(object)
    }

    private func array(_ values: [Any], depth: Int) throws -> JSON {
        try array(values, depth: depth, json)
    }

    private func array<Element>(
        _ values: [Element], depth: Int, _ convert: (Element, Int) throws -> JSON
    ) throws -> JSON {
        try checkDepth(depth)
        var elements: [JSON] = []
        elements.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            if let json = try located("\(index)", { try convert(value, depth + 1) }) { elements.append(json) }
        }
        return .array(elements)
    }

    /// Converts a member or element. A value without a JSON form is left out and collected. Without a collector it is
    /// an error with the place of the value.
    private func located(_ key: @autoclosure () -> String, _ convert: () throws -> JSON) throws -> JSON? {
        let known = leftOut?.count ?? 0
        do {
            let json = try convert()
            leftOut?.put(key(), before: known)
            return json
        } catch {
            if let leftOut {
                leftOut.put(key(), before: known)
                leftOut.add(LeftOutValue([key()], error))
                return nil
            }
            guard let error = error as? JSONError, error.reason != .tooDeep else { throw error }
            throw JSONError(error.reason, "\(key()): \(error.detail)")
        }
    }

    private func checkDepth(_ depth: Int) throws {
        guard depth < limit else { throw JSONError.tooDeep(limit: limit) }
    }

    /// Converts a number. The type code of an `NSNumber` says what it was made from.
    private func number(_ value: NSNumber) throws -> JSON {
        if value === Self.true || value === Self.false { return .bool(value.boolValue) }
        switch value.objCType.pointee {
        case CChar(UInt8(ascii: "B")): return .bool(value.boolValue)
        case CChar(UInt8(ascii: "d")): return try nonFinite.json(value.doubleValue, leftOut)
        case CChar(UInt8(ascii: "f")): return try JSON.float(value.floatValue, nonFinite, leftOut)
        case CChar(UInt8(ascii: "Q")): return .number(JSONNumber(value.uint64Value))
        default: return .number(JSONNumber(value.int64Value))
        }
    }

    /// The two objects for booleans on every system. Their type code is that of a small integer.
    private static let `true` = NSNumber(value: true)
    private static let `false` = NSNumber(value: false)

    /// The rarer types with an obvious form.
    private func others(_ value: Any, depth: Int) throws -> JSON {
        switch value {
        case let value as Character: return .string(String(value))
        case let value as Unicode.Scalar: return .string(String(value))
        case let value as any RawRepresentable:
            try checkDepth(depth)
            return try json(value.rawValue, depth: depth + 1)
        default: return try reflected(value, depth: depth)
        }
    }

    /// Converts collections of any type. Only a mirror can look inside one that arrives as `Any`.
    private func reflected(_ value: Any, depth: Int) throws -> JSON {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection: return try array(mirror.children.map(\.value), depth: depth)
        case .set: return try set(mirror.children.map(\.value), depth: depth)
        case .dictionary:
            return try dictionary(mirror.children.compactMap { $0.value as? (key: Any, value: Any) }, depth: depth)
        default: return try unsupported(value)
        }
    }

    private func unsupported(_ value: Any) throws -> JSON {
        throw JSONError(.unsupportedType, "a value of type \(type(of: value)) has no JSON form")
    }

    /// A set has no order of its own, so its elements are ordered by their text.
    private func set(_ values: [Any], depth: Int) throws -> JSON {
        let elements = try array(values, depth: depth).elements ?? []
        return .array(elements.map { ($0.description, $0) }.sorted { $0.0 < $1.0 }.map(\.1))
    }

    /// Converts a dictionary with keys that are not texts: the texts of numbers, ids and values of enumerations become
    /// keys.
    private func dictionary(_ pairs: [(key: Any, value: Any)], depth: Int) throws -> JSON {
        var members: [String: Any] = [:]
        for pair in pairs {
            if let key = text(of: pair.key) {
                members[key] = pair.value
            } else {
                let error = JSONError(.unsupportedType, "a key of type \(type(of: pair.key)) has no JSON form")
                guard let leftOut else { throw error }
                let base = (pair.key as? AnyHashable)?.base ?? pair.key
                leftOut.add(LeftOutValue(["<\(type(of: base))>"], error))
            }
        }
        return try object(members, depth: depth)
    }

    private func text(of key: Any) -> String? {
        guard let json = try? AnyConversion(nonFinite: .refuse).json(key, depth: 0) else { return nil }
        return json.stringValue ?? json.numberValue?.description
    }
}
