import TributaryScript

extension RuleParser {
    mutating func expression() throws(Refusal) -> Syntax {
        let start = position
        let value = try assignment()
        guard isSign(.comma) else { return value }
        while try take(.comma) { _ = try assignment() }
        return Syntax(.refused, at: start, "several expressions with a comma between them; write statements")
    }

    mutating func assignment() throws(Refusal) -> Syntax {
        try nested { parser throws(Refusal) in try parser.anyAssignment() }
    }

    private mutating func anyAssignment() throws(Refusal) -> Syntax {
        let start = position
        if let arrow = try arrow() { return arrow }
        if text == "yield" || text == "await", token.word != nil {
            try advance()
            _ = try assignment()
            return Syntax(.refused, at: start, RefusalReason.async)
        }
        let target = try conditional()
        guard case .sign = token.kind else { return target }
        let sign = text
        guard Self.assignments.contains(sign) else { return target }
        switch target.kind {
        case .name, .member, .index: break
        case .object, .array:
            try advance()
            _ = try assignment()
            return Syntax(
                .refused, at: start, "an object or an array on the left of =; declare names with const { a } = b")
        default: throw Refusal(position: start, reason: "this cannot be assigned to")
        }
        try advance()
        return Syntax(.assign, at: start, String(sign.dropLast()), [target, try assignment()])
    }

    private static let assignments: Set<String> = [
        "=", "+=", "-=", "*=", "/=", "%=", "**=", "??=", "||=", "&&=", "&=", "|=", "^=", "<<=", ">>=", ">>>=",
    ]

    /// `x => …`, `(a, { b }) => …`; nil when no arrow function begins here.
    private mutating func arrow() throws(Refusal) -> Syntax? {
        let start = position
        guard isName || isSign(.openParenthesis) else { return nil }
        var isAsync = false
        let parameters = attempt { parser throws(Refusal) in
            if parser.text == "async", parser.token.word != nil {
                let before = parser
                try parser.advance()
                isAsync = (parser.isName || parser.isSign(.openParenthesis)) && !parser.token.followsNewline
                if !isAsync { parser = before }
            }
            var parts: [Syntax]
            if parser.isSign(.openParenthesis) {
                parts = try parser.parameters()
            } else {
                parts = [Syntax(.pattern, at: parser.position, "", [try parser.bindingTarget()])]
            }
            guard parser.isSign(.arrow) else { return nil }
            return Syntax(.arrow, at: start, "", parts)
        }
        guard let parameters else { return nil }
        try advance()
        var body: Syntax
        if isSign(.openBrace) {
            body = try block()
        } else {
            let value = try assignment()
            body = Syntax(.block, at: value.position, "", [Syntax(.return, at: value.position, "", [value])])
        }
        if isAsync { return Syntax(.refused, at: start, RefusalReason.async) }
        return Syntax(.arrow, at: start, "", parameters.parts + [body])
    }

    private mutating func conditional() throws(Refusal) -> Syntax {
        let condition = try binary(1)
        guard isSign(.question) else { return condition }
        try advance()
        let then = try assignment()
        try expect(.colon, ":")
        return Syntax(.choose, at: condition.position, "", [condition, then, try assignment()])
    }

    /// Operators by how strongly they bind. `??` may not stand beside `||` and `&&`, which the engine refuses.
    private static let strengths: [String: Int] = [
        "??": 1, "||": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7, "===": 7, "!==": 7, "<": 8, ">": 8,
        "<=": 8, ">=": 8, "in": 8, "instanceof": 8, "<<": 9, ">>": 9, ">>>": 9, "+": 10, "-": 10, "*": 11, "/": 11,
        "%": 11, "**": 12,
    ]

    private mutating func binary(_ least: Int) throws(Refusal) -> Syntax {
        var left = try unary()
        while let strength = strength, strength >= least {
            let sign = text
            try advance()
            let right = try nested { parser throws(Refusal) in try parser.binary(sign == "**" ? strength : strength + 1)
            }
            left =
                sign == "instanceof"
                ? Syntax(.refused, at: left.position, "a program does not ask for classes with instanceof")
                : Syntax(.binary, at: left.position, sign, [left, right])
        }
        return left
    }

    private var strength: Int? {
        switch token.kind {
        case .sign, .word(.in), .word(.instanceof): Self.strengths[text]
        default: nil
        }
    }

    private mutating func unary() throws(Refusal) -> Syntax {
        let start = position
        let isWordOperator = isWord(.typeof) || isWord(.void) || isWord(.delete)
        if isWordOperator || isSign(.prefix) || isOperator("-") || isOperator("+") {
            let sign = text
            try advance()
            let operand = try nested { parser throws(Refusal) in try parser.unary() }
            return Syntax(.unary, at: start, sign, [operand])
        }
        if isSign(.step) {
            let sign = text
            try advance()
            return Syntax(.update, at: start, sign, [try unary()])
        }
        let value = try leftHandSide()
        guard isSign(.step), !token.followsNewline else { return value }
        let sign = text
        try advance()
        return Syntax(.updateAfter, at: start, sign, [value])
    }

    // MARK: Members and calls

    mutating func leftHandSide() throws(Refusal) -> Syntax {
        let start = position
        if isWord(.new) { return try members(of: try construction(), start) }
        return try members(of: try primary(), start)
    }

    private mutating func construction() throws(Refusal) -> Syntax {
        let start = position
        try advance()
        var type = try primary()
        while isSign(.dot) {
            try advance()
            type = Syntax(.member, at: start, try memberName(), [type])
        }
        let arguments = isSign(.openParenthesis) ? try arguments() : []
        return Syntax(.new, at: start, "", [type] + arguments)
    }

    private mutating func members(of first: Syntax, _ start: Int) throws(Refusal) -> Syntax {
        var value = first
        var isChain = false
        var links = 0
        while true {
            links += 1
            guard links < 60 else { throw Refusal(position: start, reason: "the chain of members is too long") }
            let place = position
            switch token.kind {
            case .sign(.dot):
                try advance()
                value = Syntax(.member, at: place, try memberName(), [value])
            case .sign(.optionalChain):
                isChain = true
                try advance()
                let optional = Syntax(.optional, at: place, "", [value])
                if isSign(.openBracket) {
                    value = try element(of: optional)
                } else if isSign(.openParenthesis) {
                    _ = try arguments()
                    value = Syntax(.refused, at: place, "a call with ?.( ); a program knows which functions are there")
                } else {
                    value = Syntax(.member, at: place, try memberName(), [optional])
                }
            case .sign(.openBracket): value = try element(of: value)
            case .sign(.openParenthesis): value = Syntax(.call, at: start, "", [value] + (try arguments()))
            case .templatePart, .templateEnd:
                _ = try template()
                value = Syntax(.refused, at: place, "a program has no tagged templates")
            default: return isChain ? Syntax(.chain, at: start, "", [value]) : value
            }
        }
    }

    private mutating func element(of value: Syntax) throws(Refusal) -> Syntax {
        let place = position
        try expect(.openBracket, "[")
        let key = try expression()
        try expect(.closeBracket, "]")
        return Syntax(.index, at: place, "", [value, key])
    }

    private mutating func memberName() throws(Refusal) -> String {
        guard token.word != nil || token.kind == .privateName else {
            throw unexpected("the name of a member was expected")
        }
        let name = text
        try advance()
        return name
    }

    private mutating func arguments() throws(Refusal) -> [Syntax] {
        try expect(.openParenthesis, "(")
        var arguments: [Syntax] = []
        while !isSign(.closeParenthesis) {
            arguments.append(try elementOrSpread())
            guard try take(.comma) else { break }
        }
        try expect(.closeParenthesis, ")")
        return arguments
    }

    private mutating func elementOrSpread() throws(Refusal) -> Syntax {
        let start = position
        guard try take(.spread) else { return try assignment() }
        return Syntax(.spread, at: start, "", [try assignment()])
    }

    // MARK: Literals

    private mutating func primary() throws(Refusal) -> Syntax {
        let start = position
        switch token.kind {
        case .number, .string:
            let syntax = Syntax(token.kind == .number ? .number : .string, at: start, text)
            try advance()
            return syntax
        case .templatePart, .templateEnd: return try template()
        case .regularExpression:
            try advance()
            return Syntax(.refused, at: start, RefusalReason.expressions)
        case .sign(.openParenthesis):
            try advance()
            let value = try expression()
            try expect(.closeParenthesis, ")")
            // `(a?.b).c` ends the chain at its bracket, as `chain` does.
            return value
        case .sign(.openBracket): return try array()
        case .sign(.openBrace): return try object()
        case .word(.function): return try function(at: start, isStatement: false)
        case .word(.class): throw Refusal(position: start, reason: "a class without a statement of its own")
        case .word where isName:
            let name = text
            try advance()
            switch name {
            case "this": return Syntax(.this, at: start)
            case "super": return Syntax(.super, at: start)
            default: return Syntax(.name, at: start, name)
            }
        default: throw unexpected("a value was expected")
        }
    }

    private mutating func array() throws(Refusal) -> Syntax {
        let start = position
        try advance()
        var parts: [Syntax] = []
        while !isSign(.closeBracket) {
            guard !isSign(.comma) else { throw Refusal(position: position, reason: "an array with a gap") }
            parts.append(try elementOrSpread())
            guard try take(.comma) else { break }
        }
        try expect(.closeBracket, "]")
        return Syntax(.array, at: start, "", parts)
    }

    private mutating func object() throws(Refusal) -> Syntax {
        let start = position
        try advance()
        var parts: [Syntax] = []
        while !isSign(.closeBrace) {
            parts.append(try objectMember())
            guard try take(.comma) else { break }
        }
        try expect(.closeBrace, "}")
        return Syntax(.object, at: start, "", parts)
    }

    private mutating func objectMember() throws(Refusal) -> Syntax {
        let start = position
        if isSign(.spread) { return try elementOrSpread() }
        let canBeShort = isName
        for word in ["get", "set", "async"] where token.word != nil && text == word {
            let before = self
            try advance()
            if isSign(.colon) || isSign(.comma) || isSign(.closeBrace) || isSign(.openParenthesis) {
                self = before
            } else {
                _ = try memberKey()
                _ = try parametersAndBody()
                return Syntax(.refused, at: start, word == "async" ? RefusalReason.async : RefusalReason.accessors)
            }
        }
        let key = try memberKey()
        if try take(.colon) {
            let value = try assignment()
            return key.kind == .computed
                ? Syntax(.computed, at: start, "", [key.parts[0], value])
                : Syntax(.property, at: start, key.text, [value])
        }
        if isSign(.openParenthesis) {
            _ = try parametersAndBody()
            return Syntax(.refused, at: start, "an object with a method")
        }
        guard canBeShort else { throw unexpected(": was expected") }
        return Syntax(.property, at: start, key.text, [Syntax(.name, at: start, key.text)])
    }

    /// The key of a member: its text, or a computed one.
    mutating func memberKey() throws(Refusal) -> Syntax {
        let start = position
        switch token.kind {
        case .word:
            let name = text
            try advance()
            return Syntax(.property, at: start, name)
        case .string:
            let name = try LiteralText.string(text, at: start)
            try advance()
            return Syntax(.property, at: start, name)
        case .number:
            let number = try LiteralText.number(text, at: start)
            try advance()
            return Syntax(.property, at: start, LiteralText.key(number))
        case .sign(.openBracket):
            try advance()
            let key = try assignment()
            try expect(.closeBracket, "]")
            return Syntax(.computed, at: start, "", [key])
        default: throw unexpected("the name of a member was expected")
        }
    }

    /// Texts and values in turn.
    mutating func template() throws(Refusal) -> Syntax {
        let start = position
        var parts: [Syntax] = []
        while true {
            let isEnd = token.kind == .templateEnd
            let raw = text.dropFirst().dropLast(isEnd ? 1 : 2)
            parts.append(Syntax(.string, at: position, try LiteralText.cooked(raw, at: position)))
            if isEnd {
                try advance()
                return Syntax(.template, at: start, "", parts)
            }
            try advance()
            parts.append(try expression())
            guard isSign(.closeBrace) else { throw unexpected("} was expected") }
            try continueTemplate()
        }
    }
}
