package import TributaryJSON

/// Numbers as JavaScript writes and reads them.
package enum NumberText {
    /// The text of `String(number)`.
    package static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        if number == 0 { return "0" }
        if number.magnitude < 1e15, let whole = Int64(exactly: number) { return String(whole) }
        return (number < 0 ? "-" : "") + magnitude(number.magnitude)
    }

    /// The number as JSON that JavaScript writes: `null` for a number that is not finite.
    package static func json(_ number: Double) -> JSON {
        if !number.isFinite { return .null }
        if number.magnitude < 1e15 {
            if let whole = Int64(exactly: number) { return .number(JSONNumber(whole)) }
            // Swift writes these as JavaScript does.
            if number.magnitude >= 0.001 { return JSONNumber(number).map(JSON.number) ?? .null }
        }
        // A number always has a text that can be read.
        return (try? JSON.parse(text(number))) ?? .null
    }

    /// A positive, finite number. Swift's shortest digits are those of JavaScript; only their form differs.
    private static func magnitude(_ number: Double) -> String {
        let (digits, point) = decimal(number)
        let count = digits.utf8.count
        switch point {
        case count...21 where point >= count: return digits + String(repeating: "0", count: point - count)
        case 1...21:
            let split = digits.utf8.index(digits.startIndex, offsetBy: point)
            return digits[..<split] + "." + digits[split...]
        case -5...0: return "0." + String(repeating: "0", count: -point) + digits
        default:
            let exponent = point - 1
            let tail = digits.dropFirst()
            return digits.prefix(1) + (tail.isEmpty ? "" : "." + tail) + "e" + (exponent < 0 ? "-" : "+")
                + String(exponent.magnitude)
        }
    }

    /// The shortest digits, and the place of the decimal point in them.
    private static func decimal(_ number: Double) -> (digits: String, point: Int) {
        let text = number.description
        let mark = text.utf8.firstIndex(of: UInt8(ascii: "e"))
        let exponent = mark.map { Int(text[text.utf8.index(after: $0)...]) ?? 0 } ?? 0
        let mantissa = text[..<(mark ?? text.endIndex)]
        let point = mantissa.utf8.firstIndex(of: UInt8(ascii: "."))
        let whole = point.map { mantissa.utf8.distance(from: mantissa.startIndex, to: $0) } ?? mantissa.utf8.count
        let digits = mantissa.utf8.filter { $0 != UInt8(ascii: ".") }
        let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
        let kept = digits.dropFirst(zeros)
        let end = kept.lastIndex { $0 != UInt8(ascii: "0") }.map { $0 + 1 } ?? kept.startIndex
        return (String(decoding: kept[kept.startIndex..<end], as: UTF8.self), whole - zeros + exponent)
    }

    // MARK: Reading

    /// `Number(text)`.
    package static func number(_ text: String) -> Double {
        let trimmed = RuleText.trimmed(text[...], start: true, end: true)
        var bytes = Array(trimmed.utf8)
        guard !bytes.isEmpty else { return 0 }
        if bytes.count > 2, bytes[0] == UInt8(ascii: "0"), let radix = radix(bytes[1]) {
            return digits(bytes[2...], radix: radix, isWhole: true) ?? .nan
        }
        let isNegative = bytes[0] == UInt8(ascii: "-")
        if isNegative || bytes[0] == UInt8(ascii: "+") { bytes.removeFirst() }
        guard decimalLength(bytes[...]) == bytes.count, !bytes.isEmpty else { return .nan }
        return value(bytes[...], isNegative)
    }

    /// `parseFloat(text)`.
    package static func float(_ text: String) -> Double {
        var bytes = Array(RuleText.trimmed(text[...], start: true, end: false).utf8)[...]
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative || bytes.first == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
        let length = decimalLength(bytes)
        return length == 0 ? .nan : value(bytes.prefix(length), isNegative)
    }

    /// `parseInt(text, radix)`.
    package static func integer(_ text: String, radix given: Double) -> Double {
        var bytes = Array(RuleText.trimmed(text[...], start: true, end: false).utf8)[...]
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative || bytes.first == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
        var radix = int32(given)
        if radix == 0 || radix == 16, bytes.count >= 2, bytes[bytes.startIndex] == UInt8(ascii: "0"),
            bytes[bytes.startIndex + 1] | 0x20 == UInt8(ascii: "x")
        {
            bytes = bytes.dropFirst(2)
            radix = 16
        }
        if radix == 0 { radix = 10 }
        guard (2...36).contains(radix), let value = digits(bytes, radix: radix, isWhole: false) else { return .nan }
        return isNegative ? -value : value
    }

    /// `ToInt32`, as bit operators take their operands.
    package static func int32(_ number: Double) -> Int {
        Int(Int32(truncatingIfNeeded: Int64(uint32(number))))
    }

    /// `ToUint32`.
    package static func uint32(_ number: Double) -> UInt32 {
        guard number.isFinite else { return 0 }
        let rest = number.rounded(.towardZero).truncatingRemainder(dividingBy: 4_294_967_296)
        return UInt32(rest < 0 ? rest + 4_294_967_296 : rest)
    }

    private static func radix(_ letter: UInt8) -> Int? {
        switch letter | 0x20 {
        case UInt8(ascii: "x"): 16
        case UInt8(ascii: "o"): 8
        case UInt8(ascii: "b"): 2
        default: nil
        }
    }

    /// The value of digits; nil without any, or when `isWhole` and something else follows.
    private static func digits(_ bytes: ArraySlice<UInt8>, radix: Int, isWhole: Bool) -> Double? {
        let valid = bytes.prefix { digit($0).map { $0 < radix } ?? false }
        guard !valid.isEmpty, !isWhole || valid.count == bytes.count else { return nil }
        if radix == 10 { return Double(String(decoding: valid, as: UTF8.self)) }
        return valid.reduce(0) { $0 * Double(radix) + Double(digit($1) ?? 0) }
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    /// The length of the longest decimal literal at the beginning; 0 when there is none.
    private static func decimalLength(_ bytes: ArraySlice<UInt8>) -> Int {
        if bytes.starts(with: "Infinity".utf8) { return 8 }
        func digits(from start: Int) -> Int { bytes.dropFirst(start).prefix { $0 &- UInt8(ascii: "0") < 10 }.count }
        func byte(_ offset: Int) -> UInt8? {
            offset < bytes.count ? bytes[bytes.startIndex + offset] : nil
        }
        var length = digits(from: 0)
        var count = length
        if byte(length) == UInt8(ascii: ".") {
            let fraction = digits(from: length + 1)
            count += fraction
            if count > 0 { length += 1 + fraction }
        }
        guard count > 0 else { return 0 }
        if let mark = byte(length), mark | 0x20 == UInt8(ascii: "e") {
            let sign = byte(length + 1)
            let start = length + (sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") ? 2 : 1)
            let exponent = digits(from: start)
            if exponent > 0 { length = start + exponent }
        }
        return length
    }

    private static func value(_ bytes: ArraySlice<UInt8>, _ isNegative: Bool) -> Double {
        var text = String(decoding: bytes, as: UTF8.self)
        if text == "Infinity" { return isNegative ? -.infinity : .infinity }
        // Swift reads neither ".5" nor "5.".
        if text.hasPrefix(".") { text = "0" + text }
        text = text.replacing(".e", with: ".0e")
        if text.hasSuffix(".") { text += "0" }
        let value = Double(text) ?? .nan
        return isNegative ? -value : value
    }
}

extension String {
    /// Foundation has such a function only in newer systems.
    fileprivate func replacing(_ pair: StaticString, with other: String) -> String {
        let bytes = Array(utf8)
        guard
            let place = bytes.indices.dropLast().first(where: {
                bytes[$0] == pair.utf8Start[0] && bytes[$0 + 1] | 0x20 == pair.utf8Start[1]
            })
        else { return self }
        return String(decoding: bytes[..<place], as: UTF8.self) + other
            + String(decoding: bytes[(place + 2)...], as: UTF8.self)
    }
}

extension NumberText {
    /// `number.toFixed(digits)`, for 0 to 100 digits: rounded half away from zero by the exact value of the double.
    package static func fixed(_ number: Double, digits: Int) -> String {
        guard number.isFinite, number.magnitude < 1e21 else { return text(number) }
        let (whole, fraction) = expansion(number.magnitude)
        var all = whole + fraction.prefix(digits) + Array(repeating: 0, count: max(0, digits - fraction.count))
        if fraction.count > digits, fraction[digits] >= 5 {
            var place = all.count - 1
            while place >= 0, all[place] == 9 {
                all[place] = 0
                place -= 1
            }
            if place >= 0 { all[place] += 1 } else { all.insert(1, at: 0) }
        }
        let text = String(decoding: all.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
        let split = text.index(text.endIndex, offsetBy: -digits)
        let isZero = all.allSatisfy { $0 == 0 }
        // -0.001 becomes "-0.00", and -0 becomes "0.00".
        let sign = number < 0 && !(isZero && number == 0) ? "-" : ""
        return sign + text[..<split] + (digits == 0 ? "" : "." + text[split...])
    }

    /// The exact decimal digits of a double below 1e21, before and behind the point.
    private static func expansion(_ number: Double) -> (whole: [UInt8], fraction: [UInt8]) {
        let floor = number.rounded(.down)
        // A double from 2^53 on may have more digits than its shortest text.
        let wholeDigits = exactWhole(floor)
        var fraction: [UInt8] = []
        var rest = binary(number - floor)
        while rest.contains(where: { $0 != 0 }) {
            var carry: UInt64 = 0
            for place in rest.indices.reversed() {
                let product = UInt64(rest[place]) * 10 + carry
                rest[place] = UInt32(truncatingIfNeeded: product)
                carry = product >> 32
            }
            fraction.append(UInt8(carry))
            while rest.last == 0 { rest.removeLast() }
        }
        return (wholeDigits, fraction)
    }

    /// The binary fraction of a double below one, 32 bits in each word.
    private static func binary(_ fraction: Double) -> [UInt32] {
        var words: [UInt32] = []
        var rest = fraction
        while rest > 0 {
            rest *= 4_294_967_296
            let word = rest.rounded(.down)
            words.append(UInt32(word))
            rest -= word
        }
        return words
    }

    /// The digits of a whole double below 1e21.
    private static func exactWhole(_ number: Double) -> [UInt8] {
        let low = UInt64(number.truncatingRemainder(dividingBy: 1e9))
        let high = UInt64(((number - Double(low)) / 1e9).rounded())
        let text =
            high == 0
            ? String(low) : String(high) + String(repeating: "0", count: 9 - String(low).utf8.count) + String(low)
        return text.utf8.map { $0 - UInt8(ascii: "0") }
    }
}
