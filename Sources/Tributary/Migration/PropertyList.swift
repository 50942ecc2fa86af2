import Foundation
import TributaryJSON

/// Property lists, binary or XML, as JSON.
enum PropertyList {
    /// A property list that is a dictionary, in types of Foundation.
    static func dictionary(_ bytes: [UInt8]?) throws -> [String: Any] {
        guard let bytes else { return [:] }
        guard let values = try value(bytes) as? [String: Any] else {
            throw MigrationError("the property list is not a dictionary")
        }
        return values
    }

    /// A property list as JSON. Dates become timestamps, and data becomes base64. The forms of `PropertyListEncoder`
    /// for decimals and for nil become numbers and null.
    static func json(_ bytes: [UInt8]) throws -> JSON { try json(value(bytes)) }

    /// A value of a property list as JSON.
    static func json(_ value: Any) throws -> JSON {
        do {
            return restored(try JSON(value))
        } catch {
            throw MigrationError("the property list has no JSON form: \(error)")
        }
    }

    private static func value(_ bytes: [UInt8]) throws -> Any {
        do {
            return try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        } catch {
            throw MigrationError("this is not a property list")
        }
    }

    private static func restored(_ value: JSON) -> JSON {
        switch value {
        case .string("$null"): return .null
        case .array(let elements): return .array(elements.map(restored))
        case .object(let object):
            if let number = decimal(object) { return .number(number) }
            var result = JSONObject()
            for (key, value) in object { result[key] = restored(value) }
            return .object(result)
        default: return value
        }
    }

    /// A `Decimal` in its encoded form: 16-bit digits, the lowest first, and a power of ten.
    private static func decimal(_ object: JSONObject) -> JSONNumber? {
        guard object.count == 5, let exponent = object["exponent"]?.intValue, let length = object["length"]?.intValue,
            let isNegative = object["isNegative"]?.boolValue, object["isCompact"] != nil,
            let mantissa = object["mantissa"]?.elements?.compactMap(\.intValue), mantissa.count == 8,
            (0...8).contains(length), (-128...127).contains(exponent)
        else { return nil }
        var value = Decimal(0)
        for digit in mantissa.prefix(length).reversed() { value = value * 65_536 + Decimal(digit) }
        value *= pow(10, exponent)
        if isNegative { value.negate() }
        guard !value.isNaN else { return nil }
        return (try? JSON.parse("\(value)"))?.numberValue
    }
}
