// Functions: their heads, and the guard at the beginning of their bodies.
extension GuardInsertion {
    mutating func beginFunction(_ place: FunctionPlace, isAsync: Bool) {
        var traits = traits()
        traits.isAsync = isAsync
        top.pending = GuardFrame.PendingFunction(step: .name, traits: traits, place: place)
    }

    func traits() -> FunctionTraits {
        var traits = FunctionTraits()
        traits.style = top.function.style == .shadowed ? .shadowed : .counted
        return traits
    }

    mutating func takeHead(of pending: GuardFrame.PendingFunction, _ token: Token) throws(TokenError) {
        switch (pending.step, token.kind) {
        case (.name, .sign(.star)): top.pending?.traits.isGenerator = true
        case (.name, .word): break
        case (.name, .sign(.openParenthesis)): try openParameters(token)
        case (.body, .sign(.openBrace)):
            top.pending = nil
            try openFunction(pending.place, pending.traits, token)
        default: throw TokenError(cause: .unbalancedBrackets, offset: token.start)
        }
    }

    mutating func openParameters(_ token: Token) throws(TokenError) {
        top.pending?.step = .body
        var traits = top.pending?.traits ?? FunctionTraits()
        traits.isInGeneratorParameters = traits.isGenerator || traits.isAsync
        try push(.parentheses(.parameters), .operand, function: traits, at: token)
    }

    mutating func openFunction(
        _ place: FunctionPlace, _ traits: FunctionTraits, _ token: Token
    ) throws(TokenError) {
        switch place {
        case .declaration: top.position = .statement
        case .expression: top.position = .value
        case .objectMember: top.position = .memberKey
        case .classMember: top.position = .memberStart
        case .arrow: top.position = .completed
        }
        try push(.functionBody, .statement, function: traits, at: token)
        top.prologue = GuardPrologue(number: places.beginFunction(), offset: token.end, traits: traits)
        functions.append(frames.count - 1)
    }

    mutating func arrowBody(_ token: Token) throws(TokenError) {
        if token.is(.openBrace) {
            var traits = traits()
            traits.isAsync = top.arrowIsAsync
            return try openFunction(.arrow, traits, token)
        }
        places.insert(GuardText.expression(top.function.style, isAsync: top.arrowIsAsync), at: token.start)
        try operand(token)
    }

    mutating func insertEntry(_ prologue: GuardPrologue) {
        let countsTurns = prologue.hasLoops && !places.catches(inFunction: prologue.number)
        let entry = GuardText.entry(prologue.style, hasLoops: countsTurns, isAsync: prologue.isAsync)
        places.insert((prologue.needsSemicolon ? ";" : "") + entry, at: prologue.offset)
    }

    /// Directives stay the first statements of their function.
    mutating func readPrologue(_ token: Token) {
        guard var prologue = top.prologue, !prologue.isOver else { return }
        defer { top.prologue = prologue }
        if let text = prologue.text {
            prologue.text = nil
            if token.is(.semicolon) {
                prologue.offset = token.end
                prologue.needsSemicolon = false
                return
            }
            guard token.is(.closeBrace) || token.followsNewline && Self.beginsStatement(token) else {
                prologue.isOver = true
                return
            }
            prologue.offset = text
            prologue.needsSemicolon = true
        }
        if token.kind == .string { prologue.text = token.end } else { prologue.isOver = true }
    }

    /// Whether a token on a new line cannot go on with the text on the line before.
    private static func beginsStatement(_ token: Token) -> Bool {
        switch token.kind {
        case .word(let word): word != .in && word != .instanceof
        case .number, .string, .privateName, .sign(.openBrace), .sign(.step): true
        case .sign(.prefix): true
        default: false
        }
    }
}
