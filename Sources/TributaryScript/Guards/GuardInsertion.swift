/// Finds the places of a script where guards belong: every loop, every function, and every initial value that runs
/// outside of a function's body.
///
/// Knows no more of the grammar than it needs to tell a block from an object, a division from a regular expression and
/// a declaration from a value. One pass, a stack of open brackets instead of recursion. No guard holds a newline, so
/// lines stay as they are.
struct GuardInsertion {
    var tokenizer: Tokenizer
    var frames: [GuardFrame]
    /// The frames of the functions that are open, from the outermost on.
    var functions: [Int] = []
    var places = GuardPlaces()
    /// The remaining visits for the analysis of the script's regular expressions.
    var expressionVisits = AnalyzedExpression.visitsOfScript

    /// The places of the regular expressions of a script.
    static func regularExpressions(in bytes: UnsafeBufferPointer<UInt8>) throws(TokenError) -> [Range<Int>] {
        try places(in: bytes).expressions
    }

    /// The guards of a script, and what else was found in it.
    static func places(in bytes: UnsafeBufferPointer<UInt8>) throws(TokenError) -> GuardPlaces {
        guard bytes.count <= maximumBytes else { throw TokenError(cause: .tooLong, offset: maximumBytes) }
        var insertion = GuardInsertion(bytes)
        try insertion.readAll()
        return insertion.places
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
            try take(token)
            switch token.kind {
            case .regularExpression: readExpression(token)
            case .number where tokenizer.isBigInteger(token): places.hasBigIntegers = true
            default: break
            }
        }
    }

    private func requireBalance(at token: Token) throws(TokenError) {
        guard frames.count == 1, top.pending == nil else {
            throw TokenError(cause: .unbalancedBrackets, offset: token.start)
        }
    }

    /// The innermost frame; there is always one, because that of the script is never closed.
    var top: GuardFrame {
        get { frames[frames.count - 1] }
        _modify { yield &frames[frames.count - 1] }
    }

    mutating func push(
        _ kind: GuardFrame.Kind, _ position: GuardFrame.Position, function: FunctionTraits? = nil, at token: Token
    ) throws(TokenError) {
        guard frames.count < Self.maximumDepth else { throw TokenError(cause: .nestedTooDeep, offset: token.start) }
        frames.append(GuardFrame(kind, position, function: function ?? top.function))
    }

    /// A guard of a loop that stands here.
    mutating func insertLoop(at offset: Int, _ guarding: (GuardStyle) -> GuardPlaces.Guarding) {
        let style = top.function.style
        let function = functions.last.flatMap { frames[$0].prologue?.number }
        if style == .counted, let frame = functions.last { frames[frame].prologue?.hasLoops = true }
        places.insert(loop: guarding(style), at: offset, inFunction: function)
    }

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
        case .awaited: try awaited(token)
        case .arrowBody: try arrowBody(token)
        }
    }
}
