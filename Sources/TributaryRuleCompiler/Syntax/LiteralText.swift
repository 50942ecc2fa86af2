import TributaryRules

/// The values of literals.
enum LiteralText {
    /// The value of a text with its quotes.
    static func string(_ literal: String, at position: Int) throws(Refusal) -> String {
        try cooked(literal.dropFirst().dropLast(), at: position)
    }

    /// A text with its escapes resolved.
    static func cooked(_ raw: some StringProtocol, at position: Int) throws(Refusal) -> String {
        guard raw.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 == 0x0D }) else { return String(raw) }
        var units = Array(raw.utf16)[...]
        var result: [UInt16] = []
        while let unit = units.popFirst() {
            if unit == 0x0D {
                // A template has one form of line ends.
                if units.first == 0x0A { units.removeFirst() }
                result.append(0x0A)
            } else if unit != UInt16(UInt8(ascii: "\\")) {
                result.append(unit)
            } else {
                result += try escape(&units, at: position)
            }
        }
        let text = String(decoding: result, as: UTF16.self)
        guard text.utf16.elementsEqual(result) else {
            throw Refusal(position: position, reason: "a text with half a surrogate pair")
        }
        return text
    }

    private static func escape(_ units: inout ArraySlice<UInt16>, at position: Int) throws(Refusal) -> [UInt16] {
        guard let unit = units.popFirst() else { return [] }
        switch UInt8(exactly: unit) {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "v"): return [0x0B]
        case UInt8(ascii: "x"): return try hexadecimal(&units, 2, at: position)
        case UInt8(ascii: "u"):
            if units.first == UInt16(UInt8(ascii: "{")) {
                units.removeFirst()
                let digits = units.prefix { $0 != UInt16(UInt8(ascii: "}")) }
                units = units.dropFirst(digits.count + 1)
                guard let code = UInt32(String(decoding: digits, as: UTF16.self), radix: 16),
                    let scalar = Unicode.Scalar(code)
                else { throw Refusal(position: position, reason: "an escape that is no character") }
                return Array(String(scalar).utf16)
            }
            return try hexadecimal(&units, 4, at: position)
        case 0x0D:
            if units.first == 0x0A { units.removeFirst() }
            return []
        case 0x0A: return []
        case UInt8(ascii: "0") where units.first.map { !(0x30...0x39).contains($0) } ?? true: return [0]
        case .some(0x30...0x39):
            throw Refusal(position: position, reason: "an escape with digits; write \\x or \\u")
        default: return unit == 0x2028 || unit == 0x2029 ? [] : [unit]
        }
    }

    private static func hexadecimal(
        _ units: inout ArraySlice<UInt16>, _ count: Int, at position: Int
    ) throws(Refusal) -> [UInt16] {
        let digits = units.prefix(count)
        guard digits.count == count, let value = UInt16(String(decoding: digits, as: UTF16.self), radix: 16) else {
            throw Refusal(position: position, reason: "an escape that is no character")
        }
        units = units.dropFirst(count)
        return [value]
    }

    /// The value of a number.
    static func number(_ literal: String, at position: Int) throws(Refusal) -> Double {
        guard literal.utf8.last != UInt8(ascii: "n") || literal.hasPrefix("0x") else {
            throw Refusal(position: position, reason: "a program has no BigInt")
        }
        let bytes = literal.utf8
        let isOctal =
            bytes.count > 1 && bytes.first == UInt8(ascii: "0")
            && bytes.dropFirst().first.map { (0x30...0x39).contains($0) } ?? false
        let value = NumberText.number(literal.filter { $0 != "_" })
        guard !isOctal, value.isFinite else {
            throw Refusal(position: position, reason: "a number that a program does not have")
        }
        return value
    }

    /// The name of a member that is written as a number.
    static func key(_ number: Double) -> String { NumberText.text(number) }
}
