import Foundation

/// How a value of unknown type becomes JSON.
struct AnyConversion {
    let nonFinite: NonFiniteNumbers

    /// - Parameter depth: how many arrays and dictionaries the value is inside of.
    func json(_ value: Any, depth: Int) throws -> JSON {
        if let known = try native(value, depth: depth) { return known }
        switch value {
        case let value as JSON: return value
        case let value as String: return .string(value)
        case let value as Substring: return .string(String(value))
        case let value as any BinaryInteger: return .number(JSONNumber(value))
        case let value as Decimal: return try JSON.number(value, nonFinite)
        case let value as NSNumber: return try number(value)
        case let value as Date: return .string(ISO8601.string(date: value))
        case let value as URL: return .string(value.absoluteString)
        case let value as Data: return .string(value.base64EncodedString())
        case let value as UUID: return .string(value.uuidString)
        case let value as [String: Any]: return try object(value, depth: depth)
        case let value as [Any]: return try array(value, depth: depth)
        case is NSNull: return .null
        case let value as any Encodable: return try JSON(with: value, nonFinite: nonFinite)
        default: return try unwrapped(value, depth: depth)
        }
    }

    /// The common types, told apart by identity: a cast is slow, and it converts (`NSNumber(value: 1) as? Bool` is
    /// true on Linux, `1 as? NSNumber` is a number on every system).
    private func native(_ value: Any, depth: Int) throws -> JSON? {
        let type = type(of: value)
        if type == String.self { return (value as? String).map(JSON.string) }
        if type == Int.self { return (value as? Int).map { .number(JSONNumber($0)) } }
        if type == Bool.self { return (value as? Bool).map(JSON.bool) }
        if type == Double.self { return try (value as? Double).map(nonFinite.json) }
        if type == Float.self { return try (value as? Float).map { try JSON.float($0, nonFinite) } }
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

    private func object(_ dictionary: [String: Any], depth: Int) throws -> JSON {
        try checkDepth(depth)
        var object = JSONObject(minimumCapacity: dictionary.count)
        // The keys of a dictionary differ already. Members are sorted when they are small, as JSON.
        for (key, value) in dictionary {
            object.append(key, try located(key) { try json(value, depth: depth + 1) })
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
            elements.append(try located("\(index)") { try convert(value, depth + 1) })
        }
        return .array(elements)
    }

    /// An error tells where the value is that has no JSON form.
    private func located(_ key: @autoclosure () -> String, _ convert: () throws -> JSON) throws -> JSON {
        do {
            return try convert()
        } catch let error as JSONError where error.reason != .tooDeep {
            throw JSONError(error.reason, "\(key()): \(error.detail)")
        }
    }

    private func checkDepth(_ depth: Int) throws {
        guard depth < JSONLimits().depth else { throw JSONError.tooDeep() }
    }

    /// `NSNumber` says by its type code what it was made from.
    private func number(_ value: NSNumber) throws -> JSON {
        if value === Self.true || value === Self.false { return .bool(value.boolValue) }
        switch value.objCType.pointee {
        case CChar(UInt8(ascii: "B")): return .bool(value.boolValue)
        case CChar(UInt8(ascii: "d")): return try nonFinite.json(value.doubleValue)
        case CChar(UInt8(ascii: "f")): return try JSON.float(value.floatValue, nonFinite)
        case CChar(UInt8(ascii: "Q")): return .number(JSONNumber(value.uint64Value))
        default: return .number(JSONNumber(value.int64Value))
        }
    }

    /// The two objects that stand for booleans on every system; their type code is that of a small integer.
    private static let `true` = NSNumber(value: true)
    private static let `false` = NSNumber(value: false)

    /// Optionals arrive here as `Any`; a mirror is the only way to look inside one.
    private func unwrapped(_ value: Any, depth: Int) throws -> JSON {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else {
            throw JSONError(.unsupportedType, "a value of type \(type(of: value)) has no JSON form")
        }
        guard let wrapped = mirror.children.first?.value else { return .null }
        return try json(wrapped, depth: depth)
    }
}
