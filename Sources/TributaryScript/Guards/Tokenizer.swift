/// Cuts a script into tokens: the lexical grammar of ECMAScript with its annexes, in one pass and without recursion.
///
/// Whether a slash begins a regular expression and a closing brace goes on with a template literal depends on what
/// stands before, so the caller says so for each token. Texts that no engine takes may be cut in any way; a text that
/// an engine takes is cut as the engine does.
package struct Tokenizer {
    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position = 0
    /// Whether only blanks and comments stand before, on this line.
    private var isAtLineStart = true

    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        if starts("\u{FEFF}") { position = 3 }
        if starts("#!") { skipLine() }
    }

    /// The next token.
    /// - Parameter slashIsOperator: whether a value stands before, so that a slash divides it.
    package mutating func next(slashIsOperator: Bool) throws(TokenError) -> Token {
        let followsNewline = try skipBlanks()
        let start = position
        let kind = try kind(slashIsOperator: slashIsOperator)
        isAtLineStart = false
        return Token(kind: kind, start: start, end: position, followsNewline: followsNewline)
    }

    /// The text of a template literal behind the brace that ends an expression in it.
    package mutating func continueTemplate(at start: Int) throws(TokenError) -> Token {
        let kind = try templateText(from: start)
        return Token(kind: kind, start: start, end: position, followsNewline: false)
    }

    /// The text of a token in the script.
    package func text(of token: Token) -> String { String(decoding: bytes[token.start..<token.end], as: UTF8.self) }

    /// Whether a number is a big integer.
    func isBigInteger(_ number: Token) -> Bool { bytes[number.end - 1] == UInt8(ascii: "n") }

    private mutating func kind(slashIsOperator: Bool) throws(TokenError) -> Token.Kind {
        guard let byte = peek() else { return .end }
        switch byte {
        case _ where Self.isWordStart(byte): return .word(word())
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
        case UInt8(ascii: "."): return Self.isDigit(peek(1)) ? number() : dot()
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return try string(byte)
        case UInt8(ascii: "`"): return try templateText(from: position)
        case UInt8(ascii: "#"):
            position += 1
            guard let next = peek(), Self.isWordStart(next) else {
                throw TokenError(cause: .unknownCharacter, offset: position - 1)
            }
            _ = word()
            return .privateName
        case UInt8(ascii: "/") where !slashIsOperator: return try regularExpression()
        default: return try sign(byte)
        }
    }

    // MARK: Blanks and comments

    /// Skips blanks and comments. Returns whether a line ended there.
    private mutating func skipBlanks() throws(TokenError) -> Bool {
        var hasNewline = false
        while let byte = peek() {
            if byte == UInt8(ascii: " ") || byte == 0x09 || byte == 0x0B || byte == 0x0C {
                position += 1
            } else if let length = newlineLength() {
                position += length
                hasNewline = true
                isAtLineStart = true
            } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "/") {
                skipLine()
            } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                if try skipBlockComment() {
                    hasNewline = true
                    isAtLineStart = true
                }
            } else if let length = wideBlankLength() {
                position += length
            } else if starts("<!--") || isAtLineStart && starts("-->") {
                skipLine()
            } else {
                break
            }
        }
        return hasNewline
    }

    private mutating func skipLine() {
        while position < bytes.count, newlineLength() == nil { position += 1 }
    }

    /// Returns whether a line ended in it.
    private mutating func skipBlockComment() throws(TokenError) -> Bool {
        let start = position
        var hasNewline = false
        position += 2
        while position < bytes.count {
            if starts("*/") {
                position += 2
                return hasNewline
            }
            if newlineLength() != nil { hasNewline = true }
            position += 1
        }
        throw TokenError(cause: .unterminatedComment, offset: start)
    }

    /// The bytes of the end of a line that stands here; U+2028 and U+2029 end a line too.
    private func newlineLength() -> Int? {
        switch bytes[position] {
        case 0x0A, 0x0D: 1
        case 0xE2 where peek(1) == 0x80 && (peek(2) == 0xA8 || peek(2) == 0xA9): 3
        default: nil
        }
    }

    /// The bytes of a blank beyond ASCII: U+00A0, U+FEFF and those of Unicode's category Zs.
    private func wideBlankLength() -> Int? {
        switch (bytes[position], peek(1), peek(2)) {
        case (0xC2, 0xA0, _): 2
        case (0xEF, 0xBB, 0xBF): 3
        case (0xE1, 0x9A, 0x80), (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80): 3
        case (0xE2, 0x80, .some(0x80...0x8A)), (0xE2, 0x80, 0xAF): 3
        default: nil
        }
    }

    // MARK: Words and numbers

    private mutating func word() -> Token.Word {
        let start = position
        var isPlain = true
        while let byte = peek() {
            if byte == UInt8(ascii: "\\") {
                isPlain = false
                skipEscapeInWord()
            } else if byte >= 0x80 {
                if newlineLength() != nil || wideBlankLength() != nil { break }
                isPlain = false
                position += 1
            } else if Self.isWordPart(byte) {
                position += 1
            } else {
                break
            }
        }
        guard isPlain, (2...10).contains(position - start), Self.isLowercase(bytes[start]) else { return .name }
        return Self.words[String(decoding: bytes[start..<position], as: UTF8.self)] ?? .name
    }

    /// `\u0061` or `\u{61}`
    private mutating func skipEscapeInWord() {
        position += 1
        guard peek() == UInt8(ascii: "u") else { return }
        position += 1
        guard peek() == UInt8(ascii: "{") else { return }
        position += 1
        while let byte = peek(), Self.isWordPart(byte) { position += 1 }
        if peek() == UInt8(ascii: "}") { position += 1 }
    }

    private static let words: [String: Token.Word] = {
        var words: [String: Token.Word] = [:]
        for word in Token.Word.allCases where word != .name { words[word.rawValue] = word }
        return words
    }()

    private mutating func number() -> Token.Kind {
        if peek() == UInt8(ascii: "0"), let next = peek(1) {
            let isPrefixed = "xXoObB".utf8.contains(next)
            if isPrefixed || isOldOctal() {
                skipWordParts()
                return .number
            }
        }
        skipWordParts(exponent: true)
        if peek() == UInt8(ascii: ".") {
            position += 1
            skipWordParts(exponent: true)
        }
        return .number
    }

    /// `017`, behind which a dot begins the name of a member; `08` and `09` are decimal.
    private func isOldOctal() -> Bool {
        var place = position + 1
        while place < bytes.count, Self.isDigit(bytes[place]) {
            if bytes[place] >= UInt8(ascii: "8") { return false }
            place += 1
        }
        return place > position + 1
    }

    private mutating func skipWordParts(exponent: Bool = false) {
        while let byte = peek() {
            if exponent, byte | 0x20 == UInt8(ascii: "e"), peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
            {
                position += 2
            } else if Self.isDigit(byte) || Self.isWordPart(byte) {
                position += 1
            } else {
                return
            }
        }
    }

    // MARK: Literals

    private mutating func string(_ quote: UInt8) throws(TokenError) -> Token.Kind {
        let start = position
        position += 1
        while let byte = peek() {
            switch byte {
            case quote:
                position += 1
                return .string
            case UInt8(ascii: "\\"):
                position += peek(1) == 0x0D && peek(2) == 0x0A ? 3 : 2
            case 0x0A, 0x0D:
                throw TokenError(cause: .unterminatedString, offset: start)
            default:
                position += 1
            }
        }
        throw TokenError(cause: .unterminatedString, offset: start)
    }

    /// Begins behind the backtick or brace that stands at `start`.
    private mutating func templateText(from start: Int) throws(TokenError) -> Token.Kind {
        position = start + 1
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "`"):
                position += 1
                return .templateEnd
            case UInt8(ascii: "$") where peek(1) == UInt8(ascii: "{"):
                position += 2
                return .templatePart
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        throw TokenError(cause: .unterminatedTemplate, offset: start)
    }

    private mutating func regularExpression() throws(TokenError) -> Token.Kind {
        let start = position
        var isInClass = false
        position += 1
        while let byte = peek(), newlineLength() == nil {
            switch byte {
            case UInt8(ascii: "/") where !isInClass:
                position += 1
                skipWordParts()
                return .regularExpression
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "\\"):
                position += 1
                guard position < bytes.count, newlineLength() == nil else { continue }
            default: break
            }
            position += 1
        }
        throw TokenError(cause: .unterminatedRegularExpression, offset: start)
    }

    // MARK: Signs

    private mutating func dot() -> Token.Kind {
        position += starts("...") ? 3 : 1
        return .sign(bytes[position - 1] == UInt8(ascii: ".") && starts("...", at: position - 3) ? .spread : .dot)
    }

    private mutating func sign(_ byte: UInt8) throws(TokenError) -> Token.Kind {
        if let sign = Self.single(byte) {
            position += 1
            return .sign(sign)
        }
        switch byte {
        case UInt8(ascii: "?"): return .sign(question())
        case UInt8(ascii: "="):
            if starts("=>") { return advance(2, .arrow) }
            return advance(operatorLength(), operatorLength() == 1 ? .assign : .other)
        case UInt8(ascii: "*"): return advance(operatorLength(), operatorLength() == 1 ? .star : .other)
        case UInt8(ascii: "!"): return advance(operatorLength(), operatorLength() == 1 ? .prefix : .other)
        case UInt8(ascii: "~"): return advance(1, .prefix)
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            return peek(1) == byte ? advance(2, .step) : advance(operatorLength(), .other)
        case _ where "<>/%&|^@".utf8.contains(byte): return advance(operatorLength(), .other)
        default: throw TokenError(cause: .unknownCharacter, offset: position)
        }
    }

    private mutating func advance(_ count: Int, _ sign: Token.Sign) -> Token.Kind {
        position += count
        return .sign(sign)
    }

    private static func single(_ byte: UInt8) -> Token.Sign? {
        switch byte {
        case UInt8(ascii: "{"): .openBrace
        case UInt8(ascii: "}"): .closeBrace
        case UInt8(ascii: "("): .openParenthesis
        case UInt8(ascii: ")"): .closeParenthesis
        case UInt8(ascii: "["): .openBracket
        case UInt8(ascii: "]"): .closeBracket
        case UInt8(ascii: ";"): .semicolon
        case UInt8(ascii: ","): .comma
        case UInt8(ascii: ":"): .colon
        default: nil
        }
    }

    /// `?.` before a digit is a question and a number.
    private mutating func question() -> Token.Sign {
        if starts("??") {
            position += starts("??=") ? 3 : 2
            return .other
        }
        if starts("?."), !Self.isDigit(peek(2)) {
            position += 2
            return .optionalChain
        }
        position += 1
        return .question
    }

    /// The length of the operator that begins here: its characters repeat the first one, and may end with `=`.
    private func operatorLength() -> Int {
        let byte = bytes[position]
        let most =
            switch byte {
            case UInt8(ascii: ">"): 3
            case UInt8(ascii: "<"), UInt8(ascii: "*"), UInt8(ascii: "&"), UInt8(ascii: "|"): 2
            default: 1
            }
        var length = 1
        while length < most, peek(length) == byte { length += 1 }
        guard peek(length) == UInt8(ascii: "=") else { return length }
        length += 1
        let isStrict = (byte == UInt8(ascii: "=") || byte == UInt8(ascii: "!")) && peek(length) == UInt8(ascii: "=")
        return isStrict ? length + 1 : length
    }

    // MARK: Bytes

    private func peek(_ distance: Int = 0) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    private func starts(_ text: StaticString) -> Bool { starts(text, at: position) }

    private func starts(_ text: StaticString, at position: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position >= 0, position + count <= bytes.count else { return false }
        return (0..<count).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
    }

    private static func isDigit(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return byte &- UInt8(ascii: "0") < 10
    }

    private static func isLowercase(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "a") < 26 }

    /// Letters, `$`, `_`, everything beyond ASCII, and the backslash of an escaped letter.
    private static func isWordStart(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte >= 0x80 || byte == UInt8(ascii: "$")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "\\")
    }

    private static func isWordPart(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || isDigit(byte) || byte == UInt8(ascii: "$")
            || byte == UInt8(ascii: "_")
    }
}
