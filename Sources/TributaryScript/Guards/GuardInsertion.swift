/// Finds the places of a script where guards belong: every loop, every function, and every initial value that runs
/// outside of a function's body.
///
/// Knows no more of the grammar than it needs to tell a block from an object, a division from a regular expression and
/// a declaration from a value. One pass, a stack of open brackets instead of recursion. No guard holds a newline, so
/// lines stay as they are.
struct GuardInsertion {
    /// A guard and the offset of the byte before which it goes.
    struct Insertion {
        let offset: Int
        let text: String
    }

    /// A guard whose text is decided at the end.
    private struct Place {
        let offset: Int
        let guarding: Guarding
        /// The number of the function whose loop it is.
        var function: Int?
    }

    private enum Guarding {
        case text(String)
        case condition(GuardStyle, isWhole: Bool)
        case body(GuardStyle)
    }

    private var tokenizer: Tokenizer
    private var frames: [GuardFrame]
    /// The frames of the functions that are open, from the outermost on.
    private var functions: [Int] = []
    private var places: [Place] = []
    /// For each function, whether it catches anything.
    private var catches: [Bool] = []
    private var expressions: [Range<Int>] = []

    /// The guards of a script in the order of their offsets.
    static func insertions(into bytes: UnsafeBufferPointer<UInt8>) throws(TokenError) -> [Insertion] {
        guard bytes.count <= maximumBytes else { throw TokenError(cause: .tooLong, offset: maximumBytes) }
        var insertion = GuardInsertion(bytes)
        try insertion.readAll()
        let order = insertion.places.enumerated().sorted {
            ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
        }
        return order.map { Insertion(offset: $0.element.offset, text: insertion.text(of: $0.element)) }
    }

    private func text(of place: Place) -> String {
        switch place.guarding {
        case .text(let text): text
        case .condition(let style, let isWhole): GuardText.condition(decided(style, place), isWhole: isWhole)
        case .body(let style): GuardText.body(decided(style, place))
        }
    }

    /// A loop of a function that catches exceptions counts by the global counter: its own would give it more turns after
    /// each exception with which it is told to end.
    private func decided(_ style: GuardStyle, _ place: Place) -> GuardStyle {
        guard style == .counted, let function = place.function, catches[function] else { return style }
        return .global
    }

    /// The places of the regular expressions of a script.
    static func regularExpressions(in bytes: UnsafeBufferPointer<UInt8>) throws(TokenError) -> [Range<Int>] {
        guard bytes.count <= maximumBytes else { throw TokenError(cause: .tooLong, offset: maximumBytes) }
        var insertion = GuardInsertion(bytes)
        try insertion.readAll()
        return insertion.expressions
    }

    static let maximumBytes = 2 << 20
    /// The engine's own parser gives up before that.
    static let maximumDepth = 5000

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        tokenizer = Tokenizer(bytes)
        frames = [GuardFrame(.statements, .statement, function: FunctionTraits())]
    }

    private mutating func readAll() throws(TokenError) {
        while true {
            let token = try tokenizer.next(slashIsOperator: top.slashIsOperator)
            guard token.kind != .end else { return try requireBalance(at: token) }
            if token.kind == .regularExpression { expressions.append(token.start..<token.end) }
            try take(token)
        }
    }

    private func requireBalance(at token: Token) throws(TokenError) {
        guard frames.count == 1, top.pending == nil else {
            throw TokenError(cause: .unbalancedBrackets, offset: token.start)
        }
    }

    /// The innermost frame; there is always one, because that of the script is never closed.
    private var top: GuardFrame {
        get { frames[frames.count - 1] }
        _modify { yield &frames[frames.count - 1] }
    }

    private mutating func push(
        _ kind: GuardFrame.Kind, _ position: GuardFrame.Position, function: FunctionTraits? = nil, at token: Token
    ) throws(TokenError) {
        guard frames.count < Self.maximumDepth else { throw TokenError(cause: .nestedTooDeep, offset: token.start) }
        frames.append(GuardFrame(kind, position, function: function ?? top.function))
    }

    private mutating func insert(_ text: String, at offset: Int) {
        places.append(Place(offset: offset, guarding: .text(text)))
    }

    /// A guard of a loop that stands here.
    private mutating func insertLoop(at offset: Int, _ guarding: (GuardStyle) -> Guarding) {
        let style = top.function.style
        let function = functions.last.flatMap { frames[$0].prologue?.number }
        if style == .counted, let frame = functions.last { frames[frame].prologue?.hasLoops = true }
        places.append(Place(offset: offset, guarding: guarding(style), function: function))
    }

    // MARK: Tokens

    private mutating func take(_ token: Token) throws(TokenError) {
        top.async?.age += 1
        readCondition(token)
        readPrologue(token)
        readInitial(token)
        if let pending = top.pending { return try takeHead(of: pending, token) }
        switch top.position {
        case .statement: try statement(token)
        case .operand: try operand(token)
        case .value: try value(token)
        case .completed: try completed(token)
        case .memberName: try memberName(token)
        case .memberStart: try memberStart(token)
        case .memberKey: try memberKey(token)
        case .letOrName: try letOrName(token)
        case .jump: try jump(token)
        case .returned: try returned(token)
        case .yielded: try yielded(token)
        case .arrowBody: try arrowBody(token)
        }
    }

    // MARK: Statements

    private mutating func statement(_ token: Token) throws(TokenError) {
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

    private mutating func statement(_ word: Token.Word, _ token: Token) throws(TokenError) {
        switch word {
        case .if, .switch: expectHead(.head)
        case .while: expectHead(.whileHead)
        case .for: expectHead(.forHead)
        case .with: expectHead(.withHead)
        case .catch: top.nextParentheses = .head  // or a block
        case .try: if let number = functions.last.flatMap({ frames[$0].prologue?.number }) { catches[number] = true }
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

    private mutating func jump(_ token: Token) throws(TokenError) {
        top.position = .statement
        if token.word != nil, !token.followsNewline, !token.is(.case), !token.is(.default) { return }
        try statementOrEnd(token)
    }

    private mutating func returned(_ token: Token) throws(TokenError) {
        if token.followsNewline { return try statementOrEnd(token) }
        try operand(token)
    }

    private mutating func statementOrEnd(_ token: Token) throws(TokenError) {
        top.position = .statement
        try statement(token)
    }

    private mutating func letOrName(_ token: Token) throws(TokenError) {
        let isOperator = token.is(.in) || token.is(.instanceof)
        if token.word != nil && !isOperator || token.is(.openBrace) || token.is(.openBracket) {
            return try operand(token)
        }
        try value(token)
    }

    /// What stands here cannot go on with the value before it, so a new statement or member begins.
    private mutating func beginNext(_ token: Token) throws(TokenError) {
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

    // MARK: Values

    private mutating func operand(_ token: Token) throws(TokenError) {
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

    private mutating func operand(_ word: Token.Word, _ token: Token) throws(TokenError) {
        switch word {
        case .function: beginFunction(.expression, isAsync: false)
        case .class: try beginClass(.expression, token)
        case .async: top.async = AsyncMark()
        case .new, .typeof, .void, .delete, .in, .instanceof, .var, .const, .throw: top.position = .operand
        case .let where top.kind == .parentheses(.forHead): top.position = .letOrName
        case .yield where top.function.isGenerator: top.position = .yielded
        case .await where top.function.isAsync || top.nextParentheses == .forHead: top.position = .operand
        default: break
        }
    }

    private mutating func value(_ token: Token) throws(TokenError) {
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

    private mutating func value(_ sign: Token.Sign, _ token: Token, mayBeLabel: Bool) throws(TokenError) {
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

    private mutating func value(_ word: Token.Word, _ token: Token) throws(TokenError) {
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

    private mutating func completed(_ token: Token) throws(TokenError) {
        switch token.kind {
        case .sign(.comma), .sign(.semicolon), .sign(.colon), .sign(.closeBrace), .sign(.closeBracket),
            .sign(.closeParenthesis):
            try separator(token, mayBeLabel: false)
        default: try beginNext(token)
        }
    }

    private mutating func memberName(_ token: Token) throws(TokenError) {
        top.position = .value
        if token.word == nil, token.kind != .privateName { try value(token) }
    }

    private mutating func yielded(_ token: Token) throws(TokenError) {
        switch token.kind {
        case .sign(.star): top.position = .operand
        case _ where token.followsNewline: try completed(token)
        case .word(.in), .word(.of): try value(token)
        default: try operand(token)
        }
    }

    private mutating func separator(_ token: Token, mayBeLabel: Bool) throws(TokenError) {
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

    // MARK: Brackets

    private mutating func openParentheses(_ token: Token) throws(TokenError) {
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

    private mutating func close(_ token: Token) throws(TokenError) {
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

    // MARK: Functions

    private mutating func beginFunction(_ place: FunctionPlace, isAsync: Bool) {
        var traits = traits()
        traits.isAsync = isAsync
        top.pending = GuardFrame.PendingFunction(step: .name, traits: traits, place: place)
    }

    private func traits() -> FunctionTraits {
        var traits = FunctionTraits()
        traits.style = top.function.style == .shadowed ? .shadowed : .counted
        return traits
    }

    private mutating func takeHead(of pending: GuardFrame.PendingFunction, _ token: Token) throws(TokenError) {
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

    private mutating func openParameters(_ token: Token) throws(TokenError) {
        top.pending?.step = .body
        var traits = top.pending?.traits ?? FunctionTraits()
        traits.isInGeneratorParameters = traits.isGenerator || traits.isAsync
        try push(.parentheses(.parameters), .operand, function: traits, at: token)
    }

    private mutating func openFunction(
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
        top.prologue = GuardPrologue(number: catches.count, offset: token.end, style: traits.style)
        catches.append(false)
        functions.append(frames.count - 1)
    }

    private mutating func arrowBody(_ token: Token) throws(TokenError) {
        if token.is(.openBrace) {
            var traits = traits()
            traits.isAsync = top.arrowIsAsync
            return try openFunction(.arrow, traits, token)
        }
        insert(GuardText.expression(top.function.style), at: token.start)
        try operand(token)
    }

    private mutating func insertEntry(_ prologue: GuardPrologue) {
        let countsTurns = prologue.hasLoops && !catches[prologue.number]
        let entry = GuardText.entry(prologue.style, hasLoops: countsTurns)
        insert((prologue.needsSemicolon ? ";" : "") + entry, at: prologue.offset)
    }

    /// Directives stay the first statements of their function.
    private mutating func readPrologue(_ token: Token) {
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

    // MARK: Classes and objects

    private mutating func beginClass(_ place: FunctionPlace, _ token: Token) throws(TokenError) {
        top.position = place == .declaration ? .statement : .value
        try push(.classHead, .value, at: token)
    }

    private mutating func memberStart(_ token: Token) throws(TokenError) {
        top.position = .memberStart
        switch token.kind {
        case .sign(.closeBrace): try close(token)
        case .sign(.comma), .sign(.semicolon): top.member = GuardMember()
        case .sign(.star): top.member.isGenerator = true
        case .sign(.spread): top.position = .operand
        case .sign(.openBracket):
            top.member.key = nil
            top.position = .memberKey
            if top.function.isInGeneratorParameters { insert(GuardText.expression(top.function.style), at: token.end) }
            try push(.brackets, .operand, at: token)
        case .word, .privateName, .number, .string:
            top.member.key = token.word
            top.position = .memberKey
        default: break
        }
    }

    private mutating func memberKey(_ token: Token) throws(TokenError) {
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
            // What was read was `get`, `static` and the like, or a field without a semicolon.
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

    // MARK: Conditions and initial values

    /// The condition of a `for` begins with the token behind the first semicolon, or is empty.
    private mutating func readCondition(_ token: Token) {
        guard let start = top.forHead.conditionStart else { return }
        top.forHead.conditionStart = nil
        insertLoop(at: start) { .condition($0, isWhole: token.is(.semicolon)) }
    }

    /// A function that is an initial value gets its name from what it is assigned to, but not when a guard stands
    /// between; it needs none.
    private mutating func readInitial(_ token: Token) {
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
    private mutating func finishInitial() {
        guard let initial = top.initial else { return }
        top.initial = nil
        if initial.tokens > 2 || !initial.beginsPlainly {
            insert(GuardText.expression(top.function.style), at: initial.offset)
        }
    }
}
