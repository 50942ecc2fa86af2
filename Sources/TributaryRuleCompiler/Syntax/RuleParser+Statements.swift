import TributaryScript

extension RuleParser {
    mutating func statement() throws(Refusal) -> Syntax {
        try nested { parser throws(Refusal) in try parser.anyStatement() }
    }

    private mutating func anyStatement() throws(Refusal) -> Syntax {
        let start = position
        switch token.kind {
        case .sign(.openBrace): return try block()
        case .sign(.semicolon):
            try advance()
            return Syntax(.empty, at: start)
        case .word(.if): return try ifStatement()
        case .word(.for): return try forStatement()
        case .word(.while), .word(.do): return try refusedLoop()
        case .word(.switch): return try switchStatement()
        case .word(.try): return try refusedTry()
        case .word(.class): return try classDeclaration()
        case .word(.function): return try function(at: start, isStatement: true)
        case .word(.return), .word(.throw): return try exit(isReturn: isWord(.return))
        case .word(.break), .word(.continue): return try jump()
        case .word(.const), .word(.let), .word(.var):
            let declaration = try declaration()
            try endStatement()
            return declaration
        case .word(.import): throw Refusal(position: start, reason: "import is not offered to scripts")
        default: return try expressionStatement()
        }
    }

    private mutating func expressionStatement() throws(Refusal) -> Syntax {
        let start = position
        if isName, text == "async",
            let refused = attempt({ parser throws(Refusal) in
                try parser.advance()
                guard parser.isWord(.function) else { return nil }
                _ = try parser.function(at: start, isStatement: true)
                return Syntax(.refused, at: start, RefusalReason.async)
            })
        {
            return refused
        }
        let value = try expression()
        guard !isSign(.colon) else { throw Refusal(position: start, reason: "a program has no labels") }
        try endStatement()
        return Syntax(.run, at: start, "", [value])
    }

    mutating func block() throws(Refusal) -> Syntax {
        let start = position
        try expect(.openBrace, "{")
        var statements: [Syntax] = []
        while !isSign(.closeBrace) {
            guard token.kind != .end else { throw unexpected("} was expected") }
            statements.append(try statement())
        }
        try advance()
        return Syntax(.block, at: start, "", statements)
    }

    private mutating func condition() throws(Refusal) -> Syntax {
        try expect(.openParenthesis, "(")
        let value = try expression()
        try expect(.closeParenthesis, ")")
        return value
    }

    private mutating func ifStatement() throws(Refusal) -> Syntax {
        let start = position
        try advance()
        let condition = try condition()
        let then = try statement()
        var parts = [condition, then]
        if isWord(.else) {
            try advance()
            parts.append(try statement())
        }
        return Syntax(.if, at: start, "", parts)
    }

    private mutating func exit(isReturn: Bool) throws(Refusal) -> Syntax {
        let start = position
        try advance()
        var parts: [Syntax] = []
        if !isSign(.semicolon), !isSign(.closeBrace), token.kind != .end, !token.followsNewline {
            parts.append(try expression())
        }
        try endStatement()
        guard isReturn || !parts.isEmpty else { throw unexpected("a value was expected") }
        return Syntax(isReturn ? .return : .throw, at: start, "", parts)
    }

    private mutating func jump() throws(Refusal) -> Syntax {
        let start = position
        let isBreak = isWord(.break)
        try advance()
        if isName, !token.followsNewline { throw Refusal(position: position, reason: "a program has no labels") }
        try endStatement()
        return Syntax(isBreak ? .break : .continue, at: start)
    }

    /// `const a = 1, { b } = c`, without its end.
    private mutating func declaration() throws(Refusal) -> Syntax {
        let start = position
        let word = text
        try advance()
        var parts: [Syntax] = []
        repeat {
            let target = try bindingTarget()
            var declarator = [target]
            if isSign(.assign) {
                try advance()
                declarator.append(try assignment())
            }
            parts.append(Syntax(.declarator, at: target.position, "", declarator))
        } while try take(.comma)
        return Syntax(.declaration, at: start, word, parts)
    }

    private mutating func forStatement() throws(Refusal) -> Syntax {
        let start = position
        try advance()
        try expect(.openParenthesis, "(")
        if isWord(.const) || isWord(.let) || isWord(.var) {
            let word = text
            if let loop = try forEach(start, word) { return loop }
        }
        var head: [Syntax] = []
        if isSign(.semicolon) {
            head.append(Syntax(.empty, at: position))
        } else if isWord(.const) || isWord(.let) || isWord(.var) {
            head.append(try declaration())
        } else {
            head.append(Syntax(.run, at: position, "", [try expression()]))
        }
        try expect(.semicolon, ";")
        head.append(isSign(.semicolon) ? Syntax(.empty, at: position) : try expression())
        try expect(.semicolon, ";")
        head.append(isSign(.closeParenthesis) ? Syntax(.empty, at: position) : try expression())
        try expect(.closeParenthesis, ")")
        return Syntax(.for, at: start, "", head + [try statement()])
    }

    /// `for (const x of list)` and `for (const key in object)`; nil for another loop.
    private mutating func forEach(_ start: Int, _ word: String) throws(Refusal) -> Syntax? {
        var isOf = false
        let target = attempt { parser throws(Refusal) in
            try parser.advance()
            let target = try parser.bindingTarget()
            isOf = parser.isWord(.of)
            guard isOf || parser.isWord(.in) else { return nil }
            try parser.advance()
            return target
        }
        guard let target else { return nil }
        let list = try expression()
        try expect(.closeParenthesis, ")")
        return Syntax(isOf ? .forOf : .forIn, at: start, word, [target, list, try statement()])
    }

    private mutating func refusedLoop() throws(Refusal) -> Syntax {
        let start = position
        let isDo = isWord(.do)
        try advance()
        if isDo {
            _ = try statement()
            guard isWord(.while) else { throw unexpected("while was expected") }
            try advance()
            _ = try condition()
            _ = try take(.semicolon)
        } else {
            _ = try condition()
            _ = try statement()
        }
        return Syntax(.refused, at: start, RefusalReason.loop)
    }

    private mutating func refusedTry() throws(Refusal) -> Syntax {
        let start = position
        try advance()
        _ = try block()
        if text == "catch" || isWord(.catch) {
            try advance()
            if try take(.openParenthesis) {
                _ = try bindingTarget()
                try expect(.closeParenthesis, ")")
            }
            _ = try block()
        }
        if isWord(.finally) {
            try advance()
            _ = try block()
        }
        return Syntax(.refused, at: start, RefusalReason.exceptions)
    }

    private mutating func switchStatement() throws(Refusal) -> Syntax {
        let start = position
        try advance()
        var parts = [try condition()]
        try expect(.openBrace, "{")
        while !isSign(.closeBrace) {
            let clause = position
            var clauseParts: [Syntax] = []
            let isCase = isWord(.case)
            guard isCase || isWord(.default) else { throw unexpected("case or default was expected") }
            try advance()
            if isCase { clauseParts.append(try expression()) }
            try expect(.colon, ":")
            while !isWord(.case), !isWord(.default), !isSign(.closeBrace) { clauseParts.append(try statement()) }
            parts.append(Syntax(isCase ? .case : .otherwise, at: clause, "", clauseParts))
        }
        try advance()
        return Syntax(.switch, at: start, "", parts)
    }

    // MARK: Classes

    /// A class: its name, the class that it extends, and its members.
    private mutating func classDeclaration() throws(Refusal) -> Syntax {
        let start = position
        try advance()
        guard isName else { throw unexpected("the name of the class was expected") }
        let name = text
        try advance()
        var parts: [Syntax] = [Syntax(.absent, at: start)]
        if isWord(.extends) {
            try advance()
            parts = [try leftHandSide()]
        }
        try expect(.openBrace, "{")
        while !isSign(.closeBrace) {
            if try take(.semicolon) { continue }
            parts.append(try classMember())
        }
        try advance()
        return Syntax(.class, at: start, name, parts)
    }

    private mutating func classMember() throws(Refusal) -> Syntax {
        let start = position
        var isStatic = false
        var refusal: String?
        if isWord(.static) {
            try advance()
            isStatic = !isSign(.openParenthesis) && !isSign(.assign)
            if isSign(.openBrace) {
                _ = try block()
                return Syntax(.refused, at: start, "a program has no static blocks")
            }
        }
        for word in ["async", "get", "set"] where token.word != nil && text == word {
            let before = self
            try advance()
            if isSign(.openParenthesis) || isSign(.assign) || isSign(.semicolon) || isSign(.closeBrace) {
                self = before
            } else {
                refusal = word == "async" ? RefusalReason.async : RefusalReason.accessors
            }
        }
        if try take(.star) { refusal = RefusalReason.generators }
        let name: String
        if case .privateName = token.kind {
            name = text
            try advance()
        } else {
            let key = try memberKey()
            guard key.kind != .computed else {
                throw Refusal(position: key.position, reason: "the name of a method is computed")
            }
            name = key.text
        }
        let member: Syntax
        if isSign(.openParenthesis) {
            member = Syntax(.method, at: start, name, try parametersAndBody())
        } else {
            var parts: [Syntax] = []
            if try take(.assign) { parts.append(try assignment()) }
            try endStatement()
            member = Syntax(.field, at: start, name, parts)
        }
        guard refusal == nil else {
            return Syntax(.method, at: start, name, [Syntax(.refused, at: start, refusal ?? "")])
        }
        member.isStatic = isStatic
        return member
    }

    // MARK: Functions and patterns

    /// The parameters as patterns, and the body at the end.
    mutating func parametersAndBody() throws(Refusal) -> [Syntax] {
        let parameters = try parameters()
        return parameters + [try block()]
    }

    mutating func parameters() throws(Refusal) -> [Syntax] {
        try expect(.openParenthesis, "(")
        var parameters: [Syntax] = []
        while !isSign(.closeParenthesis) {
            parameters.append(try pattern())
            guard try take(.comma) else { break }
        }
        try expect(.closeParenthesis, ")")
        return parameters
    }

    /// A function with its word; a generator is refused.
    mutating func function(at start: Int, isStatement: Bool) throws(Refusal) -> Syntax {
        try advance()
        let isGenerator = try take(.star)
        var name = ""
        if isName {
            name = text
            try advance()
        } else if isStatement {
            throw unexpected("the name of the function was expected")
        }
        let parts = try parametersAndBody()
        if isGenerator { return Syntax(.refused, at: start, RefusalReason.generators) }
        return Syntax(.function, at: start, name, parts)
    }

    /// A name, or the names that an object or an array is taken apart into.
    mutating func bindingTarget() throws(Refusal) -> Syntax {
        let start = position
        if isSign(.openBrace) { return try objectPattern() }
        if isSign(.openBracket) { return try arrayPattern() }
        guard isName else { throw unexpected("a name was expected") }
        let name = text
        try advance()
        return Syntax(.name, at: start, name)
    }

    /// A target with the value that stands in for undefined, or the rest.
    private mutating func pattern() throws(Refusal) -> Syntax {
        let start = position
        if try take(.spread) { return Syntax(.spread, at: start, "", [try bindingTarget()]) }
        let target = try bindingTarget()
        guard try take(.assign) else { return Syntax(.pattern, at: start, "", [target]) }
        return Syntax(.pattern, at: start, "", [target, try assignment()])
    }

    private mutating func objectPattern() throws(Refusal) -> Syntax {
        let start = position
        try advance()
        var parts: [Syntax] = []
        while !isSign(.closeBrace) {
            let place = position
            if isSign(.spread) {
                parts.append(try pattern())
            } else if isName,
                let short = attempt({ parser throws(Refusal) in
                    let name = parser.text
                    let pattern = try parser.pattern()
                    guard parser.isSign(.comma) || parser.isSign(.closeBrace) else { return nil }
                    return Syntax(.property, at: place, name, [pattern])
                })
            {
                parts.append(short)
            } else {
                let key = try memberKey()
                try expect(.colon, ":")
                let value = try pattern()
                parts.append(
                    key.kind == .computed
                        ? Syntax(.computed, at: place, "", [key.parts[0], value])
                        : Syntax(.property, at: place, key.text, [value]))
            }
            guard try take(.comma) else { break }
        }
        try expect(.closeBrace, "}")
        return Syntax(.objectPattern, at: start, "", parts)
    }

    private mutating func arrayPattern() throws(Refusal) -> Syntax {
        let start = position
        try advance()
        var parts: [Syntax] = []
        while !isSign(.closeBracket) {
            if isSign(.comma) {
                parts.append(Syntax(.absent, at: position))
                try advance()
                continue
            }
            parts.append(try pattern())
            guard try take(.comma) else { break }
        }
        try expect(.closeBracket, "]")
        return Syntax(.arrayPattern, at: start, "", parts)
    }
}

/// Why parts of the language do not become data.
enum RefusalReason {
    static let loop = "a loop without a bound; for…of goes through an array"
    static let exceptions = "a program does not catch exceptions"
    static let async = "a program has no async functions and no promises"
    static let generators = "a program has no generators"
    static let accessors = "a program has no getters and setters"
    static let expressions = "a program has no regular expressions; texts have includes, startsWith, split and replace"
}
