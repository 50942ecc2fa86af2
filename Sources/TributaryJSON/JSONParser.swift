/// Strict RFC 8259 parser over bytes: valid UTF-8, valid numbers, no trailing text, bounded depth.
///
/// A `\u` escape of a lone surrogate becomes U+FFFD, since a Swift string cannot hold it. A repeated key keeps its
/// first place and its last value, as in JavaScript.
struct JSONParser {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    let limits: JSONLimits
    /// A fingerprint of each key of the objects that are being read, the innermost object last. Only keys with the same
    /// fingerprint are compared.
    var fingerprints: [UInt32] = []
    /// Whether the string that was read last has an escape.
    var isEscaped = false
    /// The facts for `JSONReading`; numbers that are taken from a known value do not count.
    var hasNewNumbers = false
    var hasNumberedKeys = false

    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
        self.bytes = bytes
        self.limits = JSONLimits(depth: min(limits.depth, 512), bytes: limits.bytes)
    }

    mutating func document() throws(JSONError) -> JSON {
        try checkSize()
        let value = try value(depth: 0)
        try checkEnd()
        return value
    }

    func checkSize() throws(JSONError) {
        guard bytes.count > limits.bytes else { return }
        throw JSONError(.tooLarge, "the text has \(bytes.count) bytes, at most \(limits.bytes) are read")
    }

    mutating func checkEnd() throws(JSONError) {
        skipSpace()
        guard position == bytes.count else { throw malformed("text after the end of the value") }
    }

    // MARK: Values

    mutating func value(depth: Int) throws(JSONError) -> JSON {
        skipSpace()
        guard let first = peek else { throw malformed("the text ends where a value should be") }
        switch first {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"):
            hasNewNumbers = true
            return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            hasNewNumbers = true
            return .number(try number())
        default: throw malformed("a value cannot begin here")
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSON {
        try enter(depth)
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(JSONObject()) }
        var object = JSONObject(minimumCapacity: depth == 1 ? 16 : 8)
        let base = fingerprints.count
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw malformed("an object's key must be a string") }
            let start = position + 1
            let key = try string()
            let isNew = isNewKey(start..<position - 1, since: base)
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw malformed("':' is missing after a key") }
            let value = try value(depth: depth)
            if isNew { object.append(key, value) } else { object.set(key, value) }
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "}")) else { throw malformed("',' or '}' is missing in an object") }
            fingerprints.removeSubrange(base...)
            return .object(object)
        }
    }

    /// Whether no key of the object has this fingerprint, so that the key need not be searched. Equal spellings have
    /// equal fingerprints. A key with an escape has more than one spelling, so all keys with escapes share one
    /// fingerprint.
    mutating func isNewKey(_ key: Range<Int>, since base: Int) -> Bool {
        let fingerprint = fingerprint(key)
        var isNew = fingerprint != Self.escapedFingerprint
        if isNew {
            for other in fingerprints[base...] where other == fingerprint || other == Self.escapedFingerprint {
                isNew = false
                break
            }
        }
        // Above this number the object's own index is faster, and hostile input with many keys stays linear.
        guard fingerprints.count - base < JSONObject.indexThreshold else { return false }
        fingerprints.append(fingerprint)
        return isNew
    }

    private static let escapedFingerprint: UInt32 = 0

    /// Computed from the length and the first and last eight bytes of a key as it is written; 0 only for a key with an
    /// escape.
    private func fingerprint(_ key: Range<Int>) -> UInt32 {
        if isEscaped { return Self.escapedFingerprint }
        var first: UInt64 = 0
        var last: UInt64 = 0
        if key.count >= 8 {
            let raw = UnsafeRawBufferPointer(bytes)
            first = raw.loadUnaligned(fromByteOffset: key.lowerBound, as: UInt64.self)
            last = raw.loadUnaligned(fromByteOffset: key.upperBound - 8, as: UInt64.self)
        } else {
            for place in key { first = first << 8 | UInt64(bytes[place]) }
        }
        let mixed = (first ^ UInt64(key.count)) &* 0x9E37_79B9_7F4A_7C15 ^ last &* 0xC2B2_AE3D_27D4_EB4F
        return UInt32(truncatingIfNeeded: mixed >> 32) | 1
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSON {
        try enter(depth)
        var elements: [JSON] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            elements.append(try value(depth: depth))
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "]")) else { throw malformed("',' or ']' is missing in an array") }
            return .array(elements)
        }
    }

    mutating func enter(_ depth: Int) throws(JSONError) {
        guard depth <= limits.depth else {
            throw JSONError(.tooDeep, "nested deeper than \(limits.depth) levels", at: position, in: bytes)
        }
        position += 1
    }

    private mutating func literal(_ text: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count else { throw malformed("the text ends inside a literal") }
        for offset in 0..<count where bytes[position + offset] != text.utf8Start[offset] {
            throw malformed("unknown literal")
        }
        position += count
        return value
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) -> JSONNumber {
        let start = position
        let negative = take(UInt8(ascii: "-"))
        let digitsStart = position
        let digits = try integerDigits()
        var isInteger = true
        if take(UInt8(ascii: ".")) {
            isInteger = false
            guard skipDigits() > 0 else { throw malformed("a digit is missing after '.'") }
        }
        if let byte = peek, byte | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            position += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            guard skipDigits() > 0 else { throw malformed("a digit is missing in an exponent") }
        }
        if isInteger, digits <= 18, !(negative && bytes[digitsStart] == UInt8(ascii: "0")) {
            var value: Int64 = 0
            for offset in digitsStart..<position { value = value * 10 + Int64(bytes[offset] &- UInt8(ascii: "0")) }
            return JSONNumber(storage: .signed(negative ? -value : value))
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, text != "-0" {
            if let value = Int64(text) { return JSONNumber(storage: .signed(value)) }
            if let value = UInt64(text) { return JSONNumber(storage: .unsigned(value)) }
        }
        return JSONNumber(storage: .spelling(text))
    }

    private mutating func integerDigits() throws(JSONError) -> Int {
        let leadingZero = peek == UInt8(ascii: "0")
        let digits = skipDigits()
        guard digits > 0 else { throw malformed("a digit is missing") }
        guard !leadingZero || digits == 1 else { throw malformed("a number cannot begin with 0") }
        return digits
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = peek, byte &- UInt8(ascii: "0") < 10 { position += 1 }
        return position - start
    }

    // MARK: Strings

    mutating func string() throws(JSONError) -> String {
        position += 1
        isEscaped = false
        let start = position
        var seen: UInt64 = 0
        position = StringScan.special(in: bytes, from: start, seen: &seen)
        guard let byte = peek else { throw malformed("a string does not end") }
        if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
        guard byte == UInt8(ascii: "\"") else { throw unescapedControl() }
        position += 1
        return try text(UnsafeBufferPointer(rebasing: bytes[start..<position - 1]), StringScan.isASCII(seen), at: start)
    }

    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        isEscaped = true
        var buffer = [UInt8](bytes[start..<position])
        var seen: UInt64 = 0x80
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return try buffer.withUnsafeBufferPointer { buffer throws(JSONError) in
                    try text(buffer, false, at: start)
                }
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &buffer)
            case 0..<0x20: throw unescapedControl()
            default: break
            }
            let run = position
            position = StringScan.special(in: bytes, from: run, seen: &seen)
            buffer.append(contentsOf: bytes[run..<position])
        }
        throw malformed("a string does not end")
    }

    private mutating func escape(into buffer: inout [UInt8]) throws(JSONError) {
        guard let byte = peek else { throw malformed("the text ends inside an escape") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(byte)
        case UInt8(ascii: "b"): buffer.append(0x08)
        case UInt8(ascii: "f"): buffer.append(0x0C)
        case UInt8(ascii: "n"): buffer.append(0x0A)
        case UInt8(ascii: "r"): buffer.append(0x0D)
        case UInt8(ascii: "t"): buffer.append(0x09)
        case UInt8(ascii: "u"): buffer.append(contentsOf: String(try scalarEscape()).utf8)
        default: throw malformed("unknown escape in a string")
        }
    }

    private mutating func scalarEscape() throws(JSONError) -> Unicode.Scalar {
        let first = try hexUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), position + 6 <= bytes.count,
            bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
        else { return "\u{FFFD}" }
        let afterFirst = position
        position += 2
        let second = try hexUnit()
        guard UTF16.isTrailSurrogate(second) else {
            position = afterFirst
            return "\u{FFFD}"
        }
        let value = 0x10000 + (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    private mutating func hexUnit() throws(JSONError) -> UInt16 {
        guard position + 4 <= bytes.count else { throw malformed("the text ends inside an escape") }
        var value: UInt16 = 0
        for offset in 0..<4 {
            guard let digit = Self.hexDigit(bytes[position + offset]) else {
                throw malformed("a \\u escape needs four hexadecimal digits")
            }
            value = value << 4 | UInt16(digit)
        }
        position += 4
        return value
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Makes a string. Swift repairs invalid UTF-8 in it, so a repaired string differs from the bytes.
    private func text(
        _ bytes: UnsafeBufferPointer<UInt8>, _ isASCII: Bool, at start: Int
    ) throws(JSONError) -> String {
        var text = String(decoding: bytes, as: UTF8.self)
        guard isASCII || text.withUTF8({ ExactKey.haveSameBytes($0, bytes) }) else {
            throw JSONError(.invalidUTF8, "a string is not valid UTF-8", at: start, in: bytes)
        }
        return text
    }

    // MARK: Bytes

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private func unescapedControl() -> JSONError { malformed("a control character stands unescaped in a string") }

    func malformed(_ detail: String) -> JSONError { JSONError(.malformed, detail, at: position, in: bytes) }
}

extension JSON {
    /// Reads a JSON text.
    ///
    /// - Throws: `JSONError` with the place of the first mistake.
    public static func parse(
        _ bytes: UnsafeRawBufferPointer, limits: JSONLimits = JSONLimits()
    ) throws(JSONError) -> JSON {
        var parser = JSONParser(bytes.bindMemory(to: UInt8.self), limits: limits)
        return try parser.document()
    }

    /// Reads a JSON text.
    ///
    /// - Throws: `JSONError` with the place of the first mistake.
    public static func parse(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSON {
        try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
            try parse(UnsafeRawBufferPointer(bytes), limits: limits)
        }
    }

    /// Reads a JSON text.
    ///
    /// - Throws: `JSONError` with the place of the first mistake.
    public static func parse(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSON {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(JSONError) in try parse(UnsafeRawBufferPointer(bytes), limits: limits) }
        }
        return try result.get()
    }
}
