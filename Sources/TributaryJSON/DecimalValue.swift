/// The exact value of a JSON number's text: whole digits times a power of ten.
///
/// There are no zeros at either end of the digits, so that each value has one form; zero has no digits at all.
struct DecimalValue: Equatable {
    let isNegative: Bool
    let digits: [UInt8]
    let exponent: Int

    /// Reads a valid JSON number; nil when its exponent is beyond `Int`.
    init?(_ text: String) {
        let zero = UInt8(ascii: "0")
        let mark = text.utf8.firstIndex { $0 | 0x20 == UInt8(ascii: "e") }
        let mantissa = text.utf8[..<(mark ?? text.utf8.endIndex)]
        let point = mantissa.firstIndex(of: UInt8(ascii: "."))
        let fractionDigits = point.map { mantissa.distance(from: $0, to: mantissa.endIndex) - 1 } ?? 0

        var digits = Array(mantissa.filter { $0 >= zero }.drop { $0 == zero })  // signs and points are below "0"
        let trailingZeros = digits.reversed().prefix { $0 == zero }.count
        digits.removeLast(trailingZeros)
        self.digits = digits
        isNegative = !digits.isEmpty && mantissa.first == UInt8(ascii: "-")
        guard !digits.isEmpty else {
            exponent = 0
            return
        }
        let written = mark.map { Int(text[text.utf8.index(after: $0)...]) } ?? 0
        guard let written else { return nil }
        let (sum, overflow) = written.addingReportingOverflow(trailingZeros - fractionDigits)
        guard !overflow else { return nil }
        exponent = sum
    }

    /// The value, when it is a whole number that 64 signed bits hold.
    var int64: Int64? {
        guard let magnitude else { return nil }
        if !isNegative { return Int64(exactly: magnitude) }
        return magnitude == Int64.min.magnitude ? .min : Int64(exactly: magnitude).map { -$0 }
    }

    /// The value, when it is a whole number that 64 unsigned bits hold.
    var uint64: UInt64? { isNegative ? nil : magnitude }

    private var magnitude: UInt64? {
        guard exponent >= 0, digits.count <= 20 else { return digits.isEmpty ? 0 : nil }
        guard exponent < 20 else { return nil }
        var value: UInt64 = 0
        for digit in digits + Array(repeating: UInt8(ascii: "0"), count: exponent) {
            let (product, productOverflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflow) = product.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
            guard !productOverflow, !sumOverflow else { return nil }
            value = sum
        }
        return value
    }
}
