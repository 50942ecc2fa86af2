import TributaryJSON

/// The selection of `sample_event`: a share of the events, at random or by the value at a path.
struct Sampling: Sendable {
    /// From 0 to 1. A value that is not a number passes nothing.
    let share: Double
    /// Events with the same value at this path have the same result; nil selects at random.
    let path: FilterPath?

    init(_ json: JSON?, at path: String, limits: FilterLimits) throws(FilterError) {
        guard let object = json?.objectValue else {
            throw FilterError(.badConfiguration, at: path, "must be an object with 'percent' and 'path'")
        }
        share = JavaScriptText.number(object["percent"])
        switch object["path"] {
        case nil, .null, .string(""): self.path = nil
        case .string(let text): self.path = try FilterPath(text, at: "\(path).path", limits: limits)
        default: throw FilterError(.badConfiguration, at: "\(path).path", "must be a path")
        }
    }

    func keeps(_ event: JSON, random: () -> Double) -> Bool {
        if share <= 0 { return false }
        if share >= 1 { return true }
        guard let path else { return random() <= share }
        return Self.fraction(of: path.value(in: event)) < share
    }

    /// A number from 0 to 1 that depends on the JSON text of the value; for `undefined`, on that name.
    ///
    /// It is the first 64 bits of the MD5, with leading zeros replaced by as many bits of the next 64. So small
    /// fractions are as finely divided as large ones.
    static func fraction(of value: JSON?) -> Double {
        var text: [UInt8] = []
        if let value {
            JavaScriptText.stringify(value, into: &text)
        } else {
            text.append(contentsOf: "undefined".utf8)
        }
        let (first, second) = MD5.hash(text)
        let zeros = first.leadingZeroBitCount
        // A shift by 64 or more gives 0. So neither the case without zeros nor that of zeros only needs code of its
        // own.
        let bits = (first << UInt64(zeros)) | (second >> UInt64(64 - zeros)) | 1
        return Double(sign: .plus, exponent: -64 - zeros, significand: Double(bits))
    }
}
