// Conditions, initial values and regular expressions, which have a guard of their own.
extension GuardInsertion {
    /// The condition of a `for` begins with the token behind the first semicolon, or is empty.
    mutating func readCondition(_ token: Token) {
        guard let start = top.forHead.conditionStart else { return }
        top.forHead.conditionStart = nil
        insertLoop(at: start) { .condition($0, isWhole: token.is(.semicolon)) }
    }

    /// A function that is an initial value gets its name from what it is assigned to, but not when a guard stands
    /// between; it needs none.
    mutating func readInitial(_ token: Token) {
        guard var initial = top.initial else { return }
        initial.tokens += 1
        if initial.tokens == 1 { initial.beginsPlainly = Self.isPlain(token) }
        switch token.kind {
        case .word(.async) where initial.tokens == 1: initial.isAsync = true
        case .word(.class) where initial.tokens == 1: return top.initial = nil
        case .word(.function) where initial.tokens == (initial.isAsync ? 2 : 1): return top.initial = nil
        case .sign(.arrow) where initial.tokens <= (initial.isAsync ? 3 : 2): return top.initial = nil
        default: break
        }
        top.initial = initial
    }

    private static func isPlain(_ token: Token) -> Bool {
        switch token.kind {
        case .word, .number, .string, .regularExpression, .templateEnd: true
        default: false
        }
    }

    /// The token behind an initial value was read.
    mutating func finishInitial() {
        guard let initial = top.initial else { return }
        top.initial = nil
        if initial.tokens > 2 || !initial.beginsPlainly {
            places.insert(GuardText.expression(top.function.style), at: initial.offset)
        }
    }

    /// A regular expression that can take very long is used under control.
    mutating func readExpression(_ token: Token) {
        places.note(expression: token.start..<token.end)
        let use = RiskyExpression.use(ofLiteral: tokenizer.text(of: token), visits: &expressionVisits)
        guard use != .anyText else { return }
        let texts = GuardText.bounded(top.function.style)
        places.insert(texts.before, at: token.start)
        places.insert(texts.behind, at: token.end)
    }
}
