// Values, and the tokens between them.
extension GuardInsertion {
    mutating func operand(_ token: Token) throws(TokenError) {
        top.position = .value
        switch token.kind {
        case .word(let word): try operand(word, token)
        case .sign(.openParenthesis): try openParentheses(token)
        case .sign(.openBracket): try push(.brackets, .operand, at: token)
        case .sign(.openBrace): try push(.object, .memberStart, at: token)
        case .sign(.dot), .sign(.optionalChain): top.position = .memberName
        case .sign(.comma), .sign(.semicolon), .sign(.colon), .sign(.closeBrace), .sign(.closeBracket),
            .sign(.closeParenthesis):
            try separator(token, mayBeLabel: false)
        case .sign: top.position = .operand
        case .templatePart: try push(.template, .operand, at: token)
        default: break
        }
    }

    mutating func operand(_ word: Token.Word, _ token: Token) throws(TokenError) {
        switch word {
        case .function: beginFunction(.expression, isAsync: false)
        case .class: try beginClass(.expression, token)
        case .async: top.async = AsyncMark()
        case .new, .typeof, .void, .delete, .in, .instanceof, .var, .const, .throw: top.position = .operand
        case .let where top.kind == .parentheses(.forHead): top.position = .letOrName
        case .yield where top.function.isGenerator: top.position = .yielded
        case .await where top.function.isAsync || top.nextParentheses == .forHead: top.position = .operand
        case .await: top.position = .awaited
        case .import: throw TokenError(cause: .module, offset: token.start)
        default: break
        }
    }

    mutating func value(_ token: Token) throws(TokenError) {
        let mayBeLabel = top.mayBeLabel
        top.mayBeLabel = false
        switch token.kind {
        case .sign(let sign): try value(sign, token, mayBeLabel: mayBeLabel)
        case .word(let word): try value(word, token)
        case .templatePart: try push(.template, .operand, at: token)
        case .templateEnd: break
        default: try beginNext(token)
        }
    }

    mutating func value(_ sign: Token.Sign, _ token: Token, mayBeLabel: Bool) throws(TokenError) {
        switch sign {
        case .openParenthesis: try openParentheses(token)
        case .openBracket: try push(.brackets, .operand, at: token)
        case .openBrace: try openBrace(token)
        case .dot, .optionalChain: top.position = .memberName
        case .step: if token.followsNewline, top.holdsStatements { top.position = .operand }
        case .question:
            top.questions += 1
            top.position = .operand
        case .assign:
            top.position = .operand
            if top.function.isInGeneratorParameters, top.initial == nil {
                top.initial = GuardInitial(offset: token.end)
            }
        case .arrow:
            top.arrowIsAsync = top.async?.age == 2
            top.position = .arrowBody
        case .star, .prefix, .other, .spread: top.position = .operand
        case .comma, .semicolon, .colon, .closeBrace, .closeBracket, .closeParenthesis:
            try separator(token, mayBeLabel: mayBeLabel)
        }
    }

    private mutating func openBrace(_ token: Token) throws(TokenError) {
        guard top.kind == .classHead else { return try beginNext(token) }
        top.kind = .classBody
        top.position = .memberStart
    }

    mutating func value(_ word: Token.Word, _ token: Token) throws(TokenError) {
        let followsAsync = top.async?.age == 1 && !token.followsNewline
        switch word {
        case .in, .instanceof:
            if word == .in { noteMembers() }
            top.position = .operand
        case .of where top.kind == .parentheses(.forHead) && !followsAsync && top.forHead.semicolons == 0:
            noteMembers()
            top.position = .operand
        case .extends where top.kind == .classHead: top.position = .operand
        case .function where followsAsync:
            beginFunction(top.async?.isStatement == true ? .declaration : .expression, isAsync: true)
        case _ where followsAsync || top.kind == .classHead: break
        default: try beginNext(token)
        }
    }

    /// The head of a `for` turns out to be over the members or values of something.
    private mutating func noteMembers() {
        if top.kind == .parentheses(.forHead), top.forHead.semicolons == 0 { top.forHead.isOverMembers = true }
    }

    mutating func completed(_ token: Token) throws(TokenError) {
        switch token.kind {
        case .sign(.comma), .sign(.semicolon), .sign(.colon), .sign(.closeBrace), .sign(.closeBracket),
            .sign(.closeParenthesis):
            try separator(token, mayBeLabel: false)
        default: try beginNext(token)
        }
    }

    mutating func memberName(_ token: Token) throws(TokenError) {
        top.position = .value
        if token.word == nil, token.kind != .privateName { try value(token) }
    }

    mutating func yielded(_ token: Token) throws(TokenError) {
        switch token.kind {
        case .sign(.star): top.position = .operand
        case _ where token.followsNewline: try completed(token)
        case .word(.in), .word(.of): try value(token)
        default: try operand(token)
        }
    }

    mutating func awaited(_ token: Token) throws(TokenError) {
        switch token.kind {
        case .word(let word) where ![.in, .instanceof, .of].contains(word): try operand(token)
        case .number, .string, .templatePart, .templateEnd, .sign(.openBrace), .sign(.prefix): try operand(token)
        default: try value(token)
        }
    }

    mutating func separator(_ token: Token, mayBeLabel: Bool) throws(TokenError) {
        switch token.kind {
        case .sign(.comma): comma()
        case .sign(.semicolon): semicolon(token)
        case .sign(.colon): colon(mayBeLabel: mayBeLabel)
        default: try close(token)
        }
    }

    private mutating func comma() {
        finishInitial()
        top.position = top.kind == .object ? .memberStart : .operand
        top.member = GuardMember()
    }

    private mutating func semicolon(_ token: Token) {
        finishInitial()
        top.questions = 0
        switch top.kind {
        case .parentheses(.forHead):
            top.forHead.semicolons += 1
            if top.forHead.semicolons == 1 { top.forHead.conditionStart = token.end }
            top.position = .operand
        case .classBody:
            top.member = GuardMember()
            top.position = .memberStart
        default: top.position = .statement
        }
    }

    private mutating func colon(mayBeLabel: Bool) {
        if top.questions > 0 {
            top.questions -= 1
            top.position = .operand
        } else if mayBeLabel || top.isCase {
            top.isCase = top.isCase && mayBeLabel
            top.position = .statement
        } else {
            top.position = .operand
        }
    }
}
