// Classes, objects and their members.
extension GuardInsertion {
    mutating func beginClass(_ place: FunctionPlace, _ token: Token) throws(TokenError) {
        top.position = place == .declaration ? .statement : .value
        try push(.classHead, .value, at: token)
    }

    mutating func memberStart(_ token: Token) throws(TokenError) {
        top.position = .memberStart
        switch token.kind {
        case .sign(.closeBrace): try close(token)
        case .sign(.comma), .sign(.semicolon): top.member = GuardMember()
        case .sign(.star): top.member.isGenerator = true
        case .sign(.spread): top.position = .operand
        case .sign(.openBracket):
            top.member.key = nil
            top.position = .memberKey
            if top.function.isInGeneratorParameters {
                places.insert(GuardText.expression(top.function.style), at: token.end)
            }
            try push(.brackets, .operand, at: token)
        case .word, .privateName, .number, .string:
            top.member.key = token.word
            top.position = .memberKey
        default: break
        }
    }

    mutating func memberKey(_ token: Token) throws(TokenError) {
        switch token.kind {
        case .sign(.openParenthesis): try beginMethod(token)
        case .sign(.openBrace) where top.member.key == .static && top.kind == .classBody:
            top.member = GuardMember()
            try openFunction(.classMember, traits(), token)
        case .sign(.assign):
            top.position = .operand
            if top.kind == .classBody || top.function.isInGeneratorParameters {
                top.initial = GuardInitial(offset: token.end)
            }
        case .sign(.colon): top.position = .operand
        case .sign(.comma), .sign(.semicolon), .sign(.closeBrace): try memberStart(token)
        case .sign(.star), .sign(.openBracket), .word, .privateName, .number, .string:
            // The last token was `get`, `static` and the like, or a field without a semicolon.
            if top.member.key == .async, !token.followsNewline { top.member.isAsync = true }
            try memberStart(token)
        default: try operand(token)
        }
    }

    private mutating func beginMethod(_ token: Token) throws(TokenError) {
        var traits = traits()
        traits.isGenerator = top.member.isGenerator
        traits.isAsync = top.member.isAsync
        let place: FunctionPlace = top.kind == .object ? .objectMember : .classMember
        top.member = GuardMember()
        top.pending = GuardFrame.PendingFunction(step: .parameters, traits: traits, place: place)
        try openParameters(token)
    }
}
