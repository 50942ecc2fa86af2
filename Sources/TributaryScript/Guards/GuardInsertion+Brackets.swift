// Brackets, and what their end means.
extension GuardInsertion {
    mutating func openParentheses(_ token: Token) throws(TokenError) {
        let kind = top.nextParentheses ?? .expression
        top.nextParentheses = nil
        top.position = kind == .expression ? .value : .statement
        if kind == .whileHead { insertLoop(at: token.end) { .condition($0, isWhole: false) } }
        if kind == .withHead { hideNames() }
        try push(.parentheses(kind), .operand, at: token)
    }

    /// From here to the end of the function, names may be those of an object.
    private mutating func hideNames() {
        for index in frames.indices.reversed() {
            if frames[index].function.style == .shadowed { return }
            frames[index].function.style = .shadowed
            if frames[index].kind == .functionBody { return }
        }
    }

    mutating func close(_ token: Token) throws(TokenError) {
        guard frames.count > 1, isClosed(by: token) else {
            throw TokenError(cause: .unbalancedBrackets, offset: token.start)
        }
        finishInitial()
        let frame = frames.removeLast()
        switch frame.kind {
        case .parentheses(.forHead):
            if frame.forHead.isOverMembers { insertLoop(at: token.end) { .body($0) } }
        case .functionBody:
            functions.removeLast()
            if let prologue = frame.prologue { insertEntry(prologue) }
        case .template:
            if try tokenizer.continueTemplate(at: token.start).kind == .templatePart {
                try push(.template, .operand, at: token)
            }
        default: break
        }
    }

    private func isClosed(by token: Token) -> Bool {
        guard top.pending == nil else { return false }
        return switch top.kind {
        case .parentheses: token.is(.closeParenthesis)
        case .brackets: token.is(.closeBracket)
        case .classHead: false
        default: token.is(.closeBrace)
        }
    }
}
