/// Reads the numbers of most documents, a few digits with or without a fraction, in a few steps.
enum ShortDecimal {
    /// The double of a JSON number, and the end of the number. Nil when there is no number, or when it needs the full
    /// parser, for instance because of an exponent.
    static func read(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> (value: Double, end: Int)? {
        var position = start
        let isNegative = position < bytes.count && bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        var digits: UInt64 = 0
        let whole = readDigits(bytes, &position, &digits)
        guard whole > 0, whole == 1 || bytes[position - whole] != UInt8(ascii: "0") else { return nil }
        var fraction = 0
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            fraction = readDigits(bytes, &position, &digits)
            guard fraction > 0 else { return nil }
        }
        // Up to this value both factors are exact, so their quotient is the nearest double.
        guard whole + fraction <= powersOfTen.count else { return nil }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") { return nil }
        let value = Double(digits) / powersOfTen[fraction]
        return (isNegative ? -value : value, position)
    }

    private static func readDigits(
        _ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int, _ digits: inout UInt64
    ) -> Int {
        let start = position
        while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 {
            digits = digits &* 10 &+ UInt64(bytes[position] &- UInt8(ascii: "0"))
            position += 1
        }
        return position - start
    }

    /// The number of digits that are exact in a double.
    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
    ]
}
