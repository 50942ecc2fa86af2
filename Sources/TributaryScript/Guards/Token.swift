/// One token of a script, as far as the insertion of guards needs to know it.
package struct Token {
    /// The kind of a token.
    package enum Kind: Equatable {
        case word(Word)
        /// `#name`
        case privateName
        case sign(Sign)
        case number
        case string
        case regularExpression
        /// Text of a template literal up to the next `${`.
        case templatePart
        /// Text of a template literal up to its closing backtick.
        case templateEnd
        case end
    }

    /// Words that have a meaning of their own somewhere; all others are `name`. A word that is written with an escape
    /// is always a name, because no keyword may be written like that.
    package enum Word: String, CaseIterable {
        case name
        case `async`, `await`, `break`, `case`, `catch`, `class`, `const`, `continue`, debugger, `default`, delete, `do`
        case `else`, extends, finally, `for`, function, get, `if`, `import`, `in`, instanceof, `let`, new, of, `return`
        case `set`, `static`, `switch`, `throw`, `try`, typeof, `var`, void, `while`, with, yield
    }

    /// Punctuators that decide where a token stands; all others, operators between two values, are `other`.
    package enum Sign {
        case openBrace, closeBrace, openParenthesis, closeParenthesis, openBracket, closeBracket
        case semicolon, comma, colon, question, dot, optionalChain, spread, arrow, star, assign
        /// `++` and `--`
        case step
        /// `!` and `~`, which stand before a value and never behind one.
        case prefix
        case other
    }

    package let kind: Kind
    /// The offset of the first byte.
    package let start: Int
    /// The offset behind the last byte.
    package let end: Int
    /// Whether a line ended between the token before and this one.
    package let followsNewline: Bool

    package init(kind: Kind, start: Int, end: Int, followsNewline: Bool) {
        self.kind = kind
        self.start = start
        self.end = end
        self.followsNewline = followsNewline
    }

    package var word: Word? {
        if case .word(let word) = kind { return word }
        return nil
    }

    package func `is`(_ sign: Sign) -> Bool { kind == .sign(sign) }
    package func `is`(_ word: Word) -> Bool { kind == .word(word) }
}

/// Why a script could not be read.
package struct TokenError: Error, Equatable {
    package enum Cause {
        case unterminatedString, unterminatedTemplate, unterminatedComment, unterminatedRegularExpression
        case unknownCharacter, unbalancedBrackets, nestedTooDeep, tooLong, reservedName, module
    }

    package let cause: Cause
    /// The offset of the byte where it was noticed.
    package let offset: Int
}

extension TokenError {
    /// The fault, for people.
    package var message: String {
        switch cause {
        case .unterminatedString: "a text has no end"
        case .unterminatedTemplate: "a template literal has no end"
        case .unterminatedComment: "a comment has no end"
        case .unterminatedRegularExpression: "a regular expression has no end"
        case .unknownCharacter: "a character belongs to no token"
        case .unbalancedBrackets: "the brackets do not match"
        case .nestedTooDeep: "it is nested deeper than \(GuardInsertion.maximumDepth) levels"
        case .tooLong: "it has more than \(GuardInsertion.maximumBytes) bytes"
        case .module: "import is not offered to scripts"
        case .reservedName: "names that begin with \(GuardText.prefix) belong to the engine"
        }
    }

    /// Whether the script is refused, and not only unreadable for us.
    var isRefusal: Bool { cause == .reservedName || cause == .module }

    /// The line where it was noticed.
    func line(in source: String, firstLine: Int) -> Int {
        source.utf8.prefix(offset).reduce(firstLine) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    }
}
