import TributaryScript

/// Reads the part of JavaScript that live plugins are written in. A `try`, a `while` and other parts that no program has become
/// `refused` nodes, so that the parts around them are read as well.
struct RuleParser {
    private var tokenizer: Tokenizer
    var token: Token
    private var depth = 0

    /// Nested expressions and statements. Each takes a part of the thread's stack.
    private static let maximumDepth = 60

    static func statements(of source: String) throws(Refusal) -> [Syntax] {
        let bytes = Array(source.utf8)
        let result = bytes.withUnsafeBufferPointer { bytes in
            Result { () throws(Refusal) in
                var parser = try RuleParser(bytes)
                var statements: [Syntax] = []
                while parser.token.kind != .end { statements.append(try parser.statement()) }
                return statements
            }
        }
        return try result.get()
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>) throws(Refusal) {
        tokenizer = Tokenizer(bytes)
        token = Token.none
        try advance()
    }

    // MARK: Tokens

    /// The text of the present token.
    var text: String { tokenizer.text(of: token) }
    var position: Int { token.start }

    /// Goes on to the next token.
    mutating func advance() throws(Refusal) {
        let isValue: Bool
        switch token.kind {
        case .number, .string, .templateEnd, .privateName, .regularExpression: isValue = true
        case .word(let word): isValue = word == .name || word == .of || word == .get || word == .set || word == .async
        case .sign(let sign):
            isValue = sign == .closeParenthesis || sign == .closeBracket || sign == .closeBrace || sign == .step
        default: isValue = false
        }
        do {
            token = try tokenizer.next(slashIsOperator: isValue)
        } catch {
            throw Refusal(position: error.offset, reason: error.message)
        }
    }

    /// Goes on with the text of a template literal, at the brace that ends an expression in it.
    mutating func continueTemplate() throws(Refusal) {
        do {
            token = try tokenizer.continueTemplate(at: token.start)
        } catch {
            throw Refusal(position: error.offset, reason: error.message)
        }
    }

    func isSign(_ sign: Token.Sign) -> Bool { token.is(sign) }
    func isWord(_ word: Token.Word) -> Bool { token.is(word) }
    /// Whether the present token is an operator with that text.
    func isOperator(_ operatorText: String) -> Bool {
        guard case .sign = token.kind else { return false }
        return text == operatorText
    }
    /// Whether the present token is a name, with words that may be names.
    var isName: Bool {
        guard let word = token.word else { return false }
        return [.name, .of, .get, .set, .async, .static].contains(word)
    }

    mutating func take(_ sign: Token.Sign) throws(Refusal) -> Bool {
        guard isSign(sign) else { return false }
        try advance()
        return true
    }

    mutating func expect(_ sign: Token.Sign, _ what: String) throws(Refusal) {
        guard try take(sign) else { throw unexpected("\(what) was expected") }
    }

    func unexpected(_ expected: String) -> Refusal {
        Refusal(
            position: position,
            reason: token.kind == .end ? "the script ends here; \(expected)" : "\(expected), not \(text.prefix(40))")
    }

    /// Ends a statement, with a semicolon or without.
    mutating func endStatement() throws(Refusal) {
        if try take(.semicolon) { return }
        guard isSign(.closeBrace) || token.kind == .end || token.followsNewline else {
            throw unexpected("the end of the statement was expected")
        }
    }

    /// Tries something that may turn out to be something else.
    mutating func attempt(_ body: (inout RuleParser) throws(Refusal) -> Syntax?) -> Syntax? {
        let start = self
        if let result = try? body(&self) { return result }
        self = start
        return nil
    }

    mutating func nested<Value>(
        _ body: (inout RuleParser) throws(Refusal) -> Value
    ) throws(Refusal) -> Value {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw Refusal(position: position, reason: "it is nested deeper than \(Self.maximumDepth) levels")
        }
        return try body(&self)
    }
}

extension Token {
    fileprivate static let none = Token(kind: .sign(.semicolon), start: 0, end: 0, followsNewline: true)
}
