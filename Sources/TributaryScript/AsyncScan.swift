/// Finds `async`, `await` and `import` in a script, outside of strings, comments and regular expressions.
///
/// Nothing can stop an endless chain of microtasks, so scripts must not be able to start one. `Promise` is removed from
/// the engine, but the words of the language cannot be, so a script that uses one is refused as a whole:
/// - `await` and `import` everywhere except as the name of a member (`a.await`, `{ await: 1 }`);
/// - `async` there as well, when it is followed by what can make it a keyword: a name, a bracket, `*`, `#`, a literal.
///   A function or method that is called `async` is therefore refused too; a variable or a property is not.
///
/// Where telling a regular expression from a division would take a full parser, the rest of the script is searched as
/// plain text: the doubtful script is refused rather than the dangerous one let through.
struct AsyncScan {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var previous = Previous.start
    private var openParentheses: [Bool] = []
    /// For each open template literal, how many braces are open inside of its `${`.
    private var openTemplates: [Int] = []

    /// What stood before, as far as it matters to the next token.
    private enum Previous {
        /// An operator, or the beginning: a slash begins a regular expression.
        case start
        /// A value: a slash divides.
        case value
        /// The end of a block or of an object, `++`, a word that can be a name: a slash can be either.
        case unclear
        /// A dot: the next word is the name of a member.
        case dot
        /// `if`, `while`, `for`, `with`: the parenthesis that follows does not end a value.
        case head
    }

    /// The reason for which a script is refused, with its place; nil when it may run.
    static func refusal(of source: String, name: String, firstLine: Int) -> ScriptError? {
        var source = source
        return source.withUTF8 { bytes in
            guard mentions(bytes) else { return nil }
            var scan = AsyncScan(bytes: bytes)
            guard let (word, offset) = scan.firstUse() else { return nil }
            let line = bytes[..<offset].reduce(firstLine) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
            return ScriptError(.refused, "\(word) is not offered to scripts", line: line, file: name)
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private static let words = ["async", "await", "import"]

    /// Most scripts have none of the words anywhere and need no closer look.
    private static func mentions(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { mentions($0) }
    }

    private static func mentions(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let scan = AsyncScan(bytes: bytes)
        return bytes.indices.contains { position in
            switch bytes[position] {
            case UInt8(ascii: "a"): scan.starts("async", at: position) || scan.starts("await", at: position)
            case UInt8(ascii: "i"): scan.starts("import", at: position)
            default: false
            }
        }
    }

    /// The first forbidden word and where it stands.
    private mutating func firstUse() -> (String, Int)? {
        while let byte = peek() {
            switch byte {
            case _ where Self.isSpace(byte): position += 1
            case _ where Self.isWordStart(byte): if let use = word() { return use }
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number()
            case UInt8(ascii: "\""), UInt8(ascii: "'"): string(byte)
            case UInt8(ascii: "`"): templateText()
            case UInt8(ascii: "/"): if !slash() { return plainSearch() }
            case _ where startsRareComment(): return plainSearch()
            default: punctuator(byte)
            }
        }
        return nil
    }

    // MARK: Words

    private mutating func word() -> (String, Int)? {
        let start = position
        skip(while: Self.isWordPart)
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        let isMember = previous == .dot
        previous = isMember ? .value : Self.state(after: text)
        return !isMember && isForbidden(text) ? (text, start) : nil
    }

    /// Looks at what follows a word: a member's name is followed by a colon, and `async` alone is an ordinary name.
    private func isForbidden(_ word: String) -> Bool {
        guard Self.isForbiddenText(word) else { return false }
        var next = self
        next.skipSpaceAndComments()
        guard let byte = next.peek() else { return word != "async" }
        if byte == UInt8(ascii: ":") { return false }
        return word != "async" || Self.makesAsyncAKeyword(byte)
    }

    /// Spaces beyond ASCII are not told from letters beyond ASCII, so next to those a part of a word is enough.
    private static func isForbiddenText(_ text: String) -> Bool {
        words.contains(text) || text.utf8.contains { $0 >= 0x80 } && mentions(text)
    }

    private static func makesAsyncAKeyword(_ byte: UInt8) -> Bool {
        isWordPart(byte) || "([*#\"'".utf8.contains(byte)
    }

    private static func state(after word: String) -> Previous {
        switch word {
        case "if", "while", "for", "with": .head
        case "return", "typeof", "instanceof", "in", "new", "delete", "void", "throw", "case", "do", "else", "default",
            "extends":
            .start
        case "of", "yield": .unclear
        default: .value
        }
    }

    // MARK: Literals and comments

    private mutating func number() {
        skip { Self.isWordPart($0) || $0 == UInt8(ascii: ".") }
        previous = .value
    }

    private mutating func string(_ quote: UInt8) {
        position += 1
        while let byte = peek(), byte != quote { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
        position += 1
        previous = .value
    }

    /// Reads a template's text up to its end or to a `${`, after which the code inside is read like any other.
    private mutating func templateText() {
        position += 1
        while let byte = peek() {
            if byte == UInt8(ascii: "`") {
                position += 1
                previous = .value
                return
            }
            if starts("${") {
                position += 2
                openTemplates.append(0)
                previous = .start
                return
            }
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
    }

    /// A comment, a regular expression or a division; false when it cannot be told.
    private mutating func slash() -> Bool {
        if starts("//") || starts("/*") {
            skipSpaceAndComments()
            return true
        }
        switch previous {
        case .unclear: return false
        case .value, .dot:
            position += 1
            previous = .start
        case .start, .head: regularExpression()
        }
        return true
    }

    private mutating func regularExpression() {
        position += 1
        var isInClass = false
        while let byte = peek(), byte != UInt8(ascii: "\n"), isInClass || byte != UInt8(ascii: "/") {
            if byte == UInt8(ascii: "[") { isInClass = true }
            if byte == UInt8(ascii: "]") { isInClass = false }
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        position += 1
        previous = .value
    }

    private mutating func skipSpaceAndComments() {
        while let byte = peek() {
            if Self.isSpace(byte) {
                position += 1
            } else if starts("//") {
                while let byte = peek(), byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r"), !startsLineSeparator()
                {
                    position += 1
                }
            } else if starts("/*") {
                position += 2
                while peek() != nil, !starts("*/") { position += 1 }
                position += 2
            } else {
                return
            }
        }
    }

    /// Comments that begin with `<!--`, `-->` or `#!`; where the last two stand for something else is not worked out.
    private func startsRareComment() -> Bool { starts("<!--") || starts("-->") || starts("#!") }

    /// U+2028 and U+2029 end a line too.
    private func startsLineSeparator() -> Bool { starts("\u{2028}") || starts("\u{2029}") }

    // MARK: Punctuators

    private mutating func punctuator(_ byte: UInt8) {
        if starts("...") { return advance(3, .start) }
        if starts("++") || starts("--") { return advance(2, .unclear) }
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "#"): advance(1, .dot)
        case UInt8(ascii: "]"): advance(1, .value)
        case UInt8(ascii: "("):
            openParentheses.append(previous == .head)
            advance(1, .start)
        case UInt8(ascii: ")"): advance(1, openParentheses.popLast() == true ? .start : .value)
        case UInt8(ascii: "{"):
            if let last = openTemplates.indices.last { openTemplates[last] += 1 }
            advance(1, .start)
        case UInt8(ascii: "}"): closingBrace()
        default: advance(1, .start)
        }
    }

    private mutating func closingBrace() {
        guard let last = openTemplates.indices.last else { return advance(1, .unclear) }
        guard openTemplates[last] == 0 else {
            openTemplates[last] -= 1
            return advance(1, .unclear)
        }
        openTemplates.removeLast()
        templateText()
    }

    private mutating func advance(_ count: Int, _ state: Previous) {
        position += count
        previous = state
    }

    // MARK: Plain search

    /// The first forbidden word from here on, wherever it stands.
    private mutating func plainSearch() -> (String, Int)? {
        while let byte = peek() {
            guard Self.isWordPart(byte) else {
                position += 1
                continue
            }
            let start = position
            skip(while: Self.isWordPart)
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            if Self.isForbiddenText(text) { return (text, start) }
        }
        return nil
    }

    // MARK: Bytes

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private func starts(_ text: StaticString) -> Bool { starts(text, at: position) }

    private func starts(_ text: StaticString, at position: Int) -> Bool {
        guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        while let byte = peek(), condition(byte) { position += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Letters, `$`, `_`, everything beyond ASCII, and the backslash of an escaped letter.
    private static func isWordStart(_ byte: UInt8) -> Bool {
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte >= 0x80
            || "$_\\".utf8.contains(byte)
    }

    private static func isWordPart(_ byte: UInt8) -> Bool { isWordStart(byte) || byte &- UInt8(ascii: "0") < 10 }
}
