// Statements: where they begin, and where they end without a semicolon.
extension GuardInsertion {
    mutating func statement(_ token: Token) throws(TokenError) {
        top.position = .statement
        switch token.kind {
        case .sign(.openBrace):
            top.nextParentheses = nil
            try push(.statements, .statement, at: token)
        case .sign(.semicolon): break
        case .word(let word): try statement(word, token)
        default: try operand(token)
        }
    }

    mutating func statement(_ word: Token.Word, _ token: Token) throws(TokenError) {
        switch word {
        case .if, .switch: expectHead(.head)
        case .while: expectHead(.whileHead)
        case .for: expectHead(.forHead)
        case .with: expectHead(.withHead)
        case .catch: top.nextParentheses = .head  // or a block
        case .try:
            if let number = functions.last.flatMap({ frames[$0].prologue?.number }) {
                places.noteCatch(inFunction: number)
            }
        case .do, .else, .finally, .debugger: break
        case .return: top.position = .returned
        case .throw, .const, .var: top.position = .operand
        case .break, .continue: top.position = .jump
        case .case, .default:
            top.isCase = true
            top.questions = 0
            top.position = word == .case ? .operand : .value
        case .function: beginFunction(.declaration, isAsync: false)
        case .class: try beginClass(.declaration, token)
        case .let: top.position = .letOrName
        default:
            try operand(token)
            top.mayBeLabel = top.position == .value
            if token.is(.async) { top.async?.isStatement = true }
        }
    }

    private mutating func expectHead(_ head: GuardFrame.Parentheses) {
        top.nextParentheses = head
        top.position = .operand
    }

    mutating func jump(_ token: Token) throws(TokenError) {
        top.position = .statement
        if token.word != nil, !token.followsNewline, !token.is(.case), !token.is(.default) { return }
        try statementOrEnd(token)
    }

    mutating func returned(_ token: Token) throws(TokenError) {
        if token.followsNewline { return try statementOrEnd(token) }
        try operand(token)
    }

    private mutating func statementOrEnd(_ token: Token) throws(TokenError) {
        top.position = .statement
        try statement(token)
    }

    mutating func letOrName(_ token: Token) throws(TokenError) {
        let isOperator = token.is(.in) || token.is(.instanceof)
        if token.word != nil && !isOperator || token.is(.openBrace) || token.is(.openBracket) {
            return try operand(token)
        }
        try value(token)
    }

    /// This token cannot continue the value before it, so a new statement or member begins.
    mutating func beginNext(_ token: Token) throws(TokenError) {
        top.questions = 0
        if top.holdsStatements {
            try statement(token)
        } else if top.kind == .classBody {
            finishInitial()
            try memberStart(token)
        } else {
            try operand(token)
        }
    }
}
