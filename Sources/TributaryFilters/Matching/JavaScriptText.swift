import TributaryJSON

/// Texts as JavaScript would make them.
enum JavaScriptText {
    /// Deeper values are not examined; the JSON parser stops before.
    private static let depthLimit = JSONLimits().depth + 2

    // MARK: Lower case

    /// The text of `toLowerCase()`: Swift's, but with the rule for a sigma at the end of a word.
    static func lowercase(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        guard scalars.contains("\u{3A3}") else { return text.lowercased() }
        var result = ""
        var isAfterLetter = false
        for (position, scalar) in scalars.enumerated() {
            if scalar == "\u{3A3}", isAfterLetter, !isLetterNext(scalars[(position + 1)...]) {
                result += "\u{3C2}"
            } else {
                result += scalar.properties.lowercaseMapping
            }
            if !scalar.properties.isCaseIgnorable { isAfterLetter = scalar.properties.isCased }
        }
        return result
    }

    /// Whether the lower case of the first text is the second. Plain ASCII is compared without building it.
    static func isLowercase(of text: String, equalTo other: String) -> Bool {
        let answer: Bool? = text.withBytes { bytes in
            other.withBytes { wanted in
                var seen: UInt8 = 0
                for byte in bytes { seen |= byte }
                guard seen < 0x80 else { return nil }
                guard bytes.count == wanted.count else { return false }
                for position in bytes.indices where lowercase(bytes[position]) != wanted[position] { return false }
                return true
            }
        }
        return answer ?? lowercase(text).hasSameUnits(as: other)
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    private static func isLetterNext(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
        scalars.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
    }

    // MARK: JSON

    /// Appends the text of `JSON.stringify`. Integers beyond 2^53 are written exactly, where JavaScript would round.
    static func stringify(_ value: JSON, into buffer: inout [UInt8], depth: Int = 0) {
        guard depth < depthLimit else { return JSON.null.write(into: &buffer) }
        switch value {
        case .null, .bool, .string: value.write(into: &buffer)
        case .number(let number): stringify(number, into: &buffer)
        case .array(let elements):
            buffer.append(UInt8(ascii: "["))
            for (position, element) in elements.enumerated() {
                if position > 0 { buffer.append(UInt8(ascii: ",")) }
                stringify(element, into: &buffer, depth: depth + 1)
            }
            buffer.append(UInt8(ascii: "]"))
        case .object(let object):
            buffer.append(UInt8(ascii: "{"))
            for (position, member) in ordered(object).enumerated() {
                if position > 0 { buffer.append(UInt8(ascii: ",")) }
                JSONText.write(member.key, into: &buffer)
                buffer.append(UInt8(ascii: ":"))
                stringify(member.value, into: &buffer, depth: depth + 1)
            }
            buffer.append(UInt8(ascii: "}"))
        }
    }

    private static func stringify(_ number: JSONNumber, into buffer: inout [UInt8]) {
        if let value = number.int64 {
            buffer.append(contentsOf: String(value).utf8)
        } else if let value = number.uint64 {
            buffer.append(contentsOf: String(value).utf8)
        } else if number.double.isFinite {
            buffer.append(contentsOf: text(of: number.double).utf8)
        } else {
            JSON.null.write(into: &buffer)
        }
    }

    /// Whether `JSON.stringify` would give the same text for both. Nothing is written.
    static func hasSameText(_ left: JSON, _ right: JSON, depth: Int = 0) -> Bool {
        guard depth < depthLimit else { return false }
        switch (left, right) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.string(let left), .string(let right)): return left.hasSameUnits(as: right)
        case (.number(let left), .number(let right)):
            let (left, right) = (left.double, right.double)
            return left == right || (!left.isFinite && !right.isFinite)
        case (.number(let number), .null), (.null, .number(let number)): return !number.double.isFinite
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return false }
            return left.indices.allSatisfy { hasSameText(left[$0], right[$0], depth: depth + 1) }
        case (.object(let left), .object(let right)):
            guard left.count == right.count else { return false }
            let (left, right) = (ordered(left), ordered(right))
            return left.indices.allSatisfy {
                left[$0].key.hasSameUnits(as: right[$0].key)
                    && hasSameText(left[$0].value, right[$0].value, depth: depth + 1)
            }
        default: return false
        }
    }

    /// The members in JavaScript's order: keys that are array positions first, by number, the others as they came.
    private static func ordered(_ object: JSONObject) -> [JSONObject.Member] {
        let members = Array(object)
        let positions = members.map { PathKey.arrayIndex($0.key) }
        guard positions.contains(where: { $0 != nil }) else { return members }
        return members.indices.sorted { left, right in
            switch (positions[left], positions[right]) {
            case (let left?, let right?): left < right
            case (_?, nil): true
            case (nil, _?): false
            case (nil, nil): left < right
            }
        }.map { members[$0] }
    }

    // MARK: Numbers

    /// The result of `Number(value)` for a value from a configuration; not a number for a missing value, an array or an
    /// object.
    static func number(_ json: JSON?) -> Double {
        switch json {
        case .null: 0
        case .bool(let value): value ? 1 : 0
        case .number(let value): value.double
        case .string(let text): number(text)
        case nil, .array, .object: .nan
        }
    }

    /// The result of `Number(text)`: decimal, or whole with `0x`, `0o` or `0b` before it; 0 for spaces only.
    static func number(_ text: String) -> Double {
        let text = text.drop(while: \.isWhitespace)
        let end = text.lastIndex { !$0.isWhitespace }
        guard let end else { return 0 }
        let digits = text[...end]
        switch digits.prefix(2) {
        case "0x", "0X": return whole(digits.dropFirst(2), radix: 16)
        case "0o", "0O": return whole(digits.dropFirst(2), radix: 8)
        case "0b", "0B": return whole(digits.dropFirst(2), radix: 2)
        default: break
        }
        switch digits {
        case "Infinity", "+Infinity": return .infinity
        case "-Infinity": return -.infinity
        default: break
        }
        // Swift would also read "inf", "nan" and hexadecimal fractions.
        guard digits.utf8.allSatisfy({ decimalBytes.contains($0) }) else { return .nan }
        return Double(digits) ?? .nan
    }

    private static let decimalBytes = Set("0123456789.eE+-".utf8)

    private static func whole(_ digits: Substring, radix: Double) -> Double {
        var value = 0.0
        for digit in digits {
            guard let unit = digit.hexDigitValue, Double(unit) < radix else { return .nan }
            value = value * radix + Double(unit)
        }
        return digits.isEmpty ? .nan : value
    }

    /// The text of a finite number that is not a 64-bit integer: the shortest digits, with an exponent only where
    /// JavaScript has one (from 1e21, below 1e-6).
    static func text(of number: Double) -> String {
        let (digits, point) = decimal(number.magnitude)
        return (number < 0 ? "-" : "") + layOut(digits, point: point)
    }

    /// The digits without zeros at either end, and the place of the decimal point from their start.
    private static func decimal(_ number: Double) -> (digits: String, point: Int) {
        let parts = number.description.split(separator: "e")
        let mantissa = parts.first ?? "0"
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let whole = mantissa.prefix { $0 != "." }
        let fraction = mantissa.dropFirst(whole.count + 1)
        let all = whole + fraction
        let digits = all.drop { $0 == "0" }
        var trimmed = String(digits)
        while trimmed.last == "0" { trimmed.removeLast() }
        return (trimmed, whole.count + exponent - (all.count - digits.count))
    }

    private static func layOut(_ digits: String, point: Int) -> String {
        let count = digits.count
        switch point {
        case _ where digits.isEmpty: return "0"
        case count...max(count, 21) where point <= 21: return digits + String(repeating: "0", count: point - count)
        case 1...21: return "\(digits.prefix(point)).\(digits.dropFirst(point))"
        case -5...0: return "0." + String(repeating: "0", count: -point) + digits
        default:
            let fraction = count > 1 ? ".\(digits.dropFirst())" : ""
            return "\(digits.prefix(1))\(fraction)e\(point > 0 ? "+" : "-")\((point - 1).magnitude)"
        }
    }
}
