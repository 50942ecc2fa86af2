package import TributaryJSON

/// Walks over a JSON text without building it: as strict as the parser, and many times as fast.
///
/// The text that it has passed is valid (RFC 8259, UTF-8, bounded depth), so its bytes can be kept and given to others
/// as they are. It takes exactly the texts that `JSON.parse` takes.
package struct JSONScanner {
    /// A member's key as it stands in the text, without the quotes.
    package struct Key {
        package let range: Range<Int>
        package let isEscaped: Bool

        package init(range: Range<Int>, isEscaped: Bool) { (self.range, self.isEscaped) = (range, isEscaped) }
    }

    package let bytes: UnsafeBufferPointer<UInt8>
    package private(set) var position: Int
    /// Whether there was space between the tokens that were passed.
    package private(set) var hasSpace = false
    private let maxDepth: Int
    private let passesDeeper: Bool
    private var depth = 0
    /// Whether it passed an array or object below the last level.
    private(set) var hasDeeper = false

    /// - Parameters:
    ///   - position: where to begin.
    ///   - depth: the levels of nested arrays and objects.
    ///   - passesDeeper: whether deeper values are checked and passed. Otherwise they are an error.
    package init(
        _ bytes: UnsafeBufferPointer<UInt8>, at position: Int = 0, depth: Int = Limits.depth, passesDeeper: Bool = false
    ) {
        (self.bytes, self.position, self.passesDeeper) = (bytes, position, passesDeeper)
        maxDepth = depth
    }

    // MARK: Values

    /// Passes a text that is one value and nothing else.
    package mutating func document(_ value: (inout JSONScanner) throws(JSONError) -> Void) throws(JSONError) {
        skipSpace()
        try value(&self)
        skipSpace()
        guard position == bytes.count else { throw malformed("text after the end of the value") }
    }

    /// Passes a value and says where it stood.
    @discardableResult
    package mutating func value() throws(JSONError) -> Range<Int> {
        guard let first = peek else { throw malformed("the text ends where a value should be") }
        let start = position
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if depth == maxDepth, passesDeeper {
                try deepValue()
            } else if first == UInt8(ascii: "{") {
                try object { scanner, _ throws(JSONError) in try scanner.value() }
            } else {
                try array { scanner throws(JSONError) in try scanner.value() }
            }
        default: try scalar(first)
        }
        return start..<position
    }

    /// Passes a value that is neither an array nor an object.
    private mutating func scalar(_ first: UInt8) throws(JSONError) {
        switch first {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        default: throw malformed("a value cannot begin here")
        }
    }

    /// Passes an array or an object of any depth. It uses no stack for each level, so no text is too deep for it.
    private mutating func deepValue() throws(JSONError) {
        hasDeeper = true
        var isObject: [Bool] = []
        repeat {
            skipSpace()
            if isObject.last == true { try deepKey() }
            guard let first = peek else { throw malformed("the text ends where a value should be") }
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                position += 1
                skipSpace()
                let isList = first == UInt8(ascii: "[")
                guard take(isList ? UInt8(ascii: "]") : UInt8(ascii: "}")) else {
                    isObject.append(!isList)
                    continue
                }
            } else {
                try scalar(first)
            }
            try endDeepValues(&isObject)
        } while !isObject.isEmpty
    }

    private mutating func deepKey() throws(JSONError) {
        guard peek == UInt8(ascii: "\"") else { throw malformed("an object's key must be a string") }
        _ = try string()
        skipSpace()
        guard take(UInt8(ascii: ":")) else { throw malformed("':' is missing after a key") }
        skipSpace()
    }

    /// Passes the bytes after a value: a comma, or the ends of the arrays and objects that end with it.
    private mutating func endDeepValues(_ isObject: inout [Bool]) throws(JSONError) {
        while let isInObject = isObject.last {
            skipSpace()
            if take(UInt8(ascii: ",")) { return }
            guard take(isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                throw malformed(isInObject ? "',' or '}' is missing in an object" : "',' or ']' is missing in an array")
            }
            isObject.removeLast()
        }
    }

    /// Passes an object that begins here.
    /// - Parameter member: called where each member's value begins; has to pass the value.
    package mutating func object(
        _ member: (inout JSONScanner, Key) throws(JSONError) -> Void
    ) throws(JSONError) {
        try enter()
        skipSpace()
        if take(UInt8(ascii: "}")) { return leave() }
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw malformed("an object's key must be a string") }
            let key = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw malformed("':' is missing after a key") }
            skipSpace()
            try member(&self, key)
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "}")) else { throw malformed("',' or '}' is missing in an object") }
            return leave()
        }
    }

    /// Passes an array that begins here.
    /// - Parameter element: called where each element begins; has to pass it.
    package mutating func array(_ element: (inout JSONScanner) throws(JSONError) -> Void) throws(JSONError) {
        try enter()
        skipSpace()
        if take(UInt8(ascii: "]")) { return leave() }
        while true {
            skipSpace()
            try element(&self)
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "]")) else { throw malformed("',' or ']' is missing in an array") }
            return leave()
        }
    }

    /// Goes on behind members that were passed before. To be called where the value of the first one begins.
    /// - Parameter end: the end of the last one's value.
    mutating func skip(to end: Int) { position = end }

    private mutating func enter() throws(JSONError) {
        guard depth < maxDepth else {
            throw JSONError(.tooDeep, "nested deeper than \(maxDepth) levels", at: position, in: bytes)
        }
        depth += 1
        position += 1
    }

    private mutating func leave() { depth -= 1 }

    private mutating func literal(_ text: StaticString) throws(JSONError) {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count else { throw malformed("the text ends inside a literal") }
        for offset in 0..<count where bytes[position + offset] != text.utf8Start[offset] {
            throw malformed("unknown literal")
        }
        position += count
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) {
        _ = take(UInt8(ascii: "-"))
        let leadingZero = peek == UInt8(ascii: "0")
        let digits = skipDigits()
        guard digits > 0 else { throw malformed("a digit is missing") }
        guard !leadingZero || digits == 1 else { throw malformed("a number cannot begin with 0") }
        if take(UInt8(ascii: ".")) {
            guard skipDigits() > 0 else { throw malformed("a digit is missing after '.'") }
        }
        guard let byte = peek, byte | 0x20 == UInt8(ascii: "e") else { return }
        position += 1
        if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
        guard skipDigits() > 0 else { throw malformed("a digit is missing in an exponent") }
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = peek, byte &- UInt8(ascii: "0") < 10 { position += 1 }
        return position - start
    }

    // MARK: Strings

    /// Passes a string that begins here.
    package mutating func string() throws(JSONError) -> Key {
        position += 1
        let start = position
        var isEscaped = false
        while true {
            position = PlainText.end(in: bytes, from: position)
            guard let byte = peek else { throw malformed("a string does not end") }
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return Key(range: start..<position - 1, isEscaped: isEscaped)
            case UInt8(ascii: "\\"):
                isEscaped = true
                try escape()
            case 0x80...:
                guard let end = UTF8Text.end(in: bytes, from: position) else {
                    throw JSONError(.invalidUTF8, "a string is not valid UTF-8", at: start, in: bytes)
                }
                position = end
            default:
                throw malformed("a control character stands unescaped in a string")
            }
        }
    }

    private mutating func escape() throws(JSONError) {
        position += 1
        guard let byte = peek else { throw malformed("the text ends inside an escape") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return
        case UInt8(ascii: "u"):
            guard position + 4 <= bytes.count else { throw malformed("the text ends inside an escape") }
            for offset in 0..<4 where !Self.isHexadecimal(bytes[position + offset]) {
                throw malformed("a \\u escape needs four hexadecimal digits")
            }
            position += 4
        default:
            throw malformed("unknown escape in a string")
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
    }

    // MARK: Bytes

    package var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09:
                position += 1
                hasSpace = true
            default: return
            }
        }
    }

    /// After this call, `hasSpace` says whether space follows from here on.
    mutating func forgetSpace() { hasSpace = false }

    package func malformed(_ detail: String) -> JSONError { JSONError(.malformed, detail, at: position, in: bytes) }
}
