/// An open bracket, or a class before its body, and the state of the code in it.
struct GuardFrame {
    enum Kind: Equatable {
        /// Statements: the script itself, a block, the body of `switch`.
        case statements
        /// Statements that have a guard at their beginning.
        case functionBody
        case parentheses(Parentheses)
        case brackets
        case object
        /// Between `class` and its body.
        case classHead
        case classBody
        case template
    }

    /// The owner of a pair of parentheses.
    enum Parentheses: Equatable {
        /// A group, the arguments of a call, or the parameters of an arrow function.
        case expression
        /// The parameters of a function that has a name or a keyword.
        case parameters
        /// `if`, `switch`, `catch`: a statement or a block follows.
        case head
        case whileHead
        case forHead
        case withHead
    }

    /// The possible kinds of the next token.
    enum Position {
        case statement
        /// A value is to come; a slash begins a regular expression.
        case operand
        /// A value is complete but may go on; a slash divides.
        case value
        /// A value is complete and cannot go on, as behind the body of an arrow function.
        case completed
        /// The name of a member, behind a dot.
        case memberName
        /// The key of a member of an object or a class.
        case memberStart
        /// Behind a key.
        case memberKey
        /// Behind `let`, which may be a name.
        case letOrName
        /// Behind `break` and `continue`.
        case jump
        /// Behind `return`: a value on the same line, or nothing.
        case returned
        /// Behind `yield` in a generator: a value on the same line, or nothing.
        case yielded
        /// Behind `await` where it may be a name, as in the expression that is the body of an arrow function.
        case awaited
        /// Behind `=>`.
        case arrowBody
    }

    /// A function between its beginning and its body.
    struct PendingFunction {
        enum Step { case name, parameters, body }
        var step: Step
        var traits: FunctionTraits
        let place: FunctionPlace
    }

    var kind: Kind
    var position: Position
    /// Of the innermost function.
    var function: FunctionTraits
    /// The owner of the next parenthesis, when it is not an expression.
    var nextParentheses: Parentheses?
    var pending: PendingFunction?
    /// Questions of conditional expressions that wait for their colon.
    var questions = 0
    /// Whether a name stands alone at the beginning of a statement, so that a colon makes it a label.
    var mayBeLabel = false
    /// Whether a colon ends `case` or `default`.
    var isCase = false
    /// The last `async`, when it is only a few tokens away.
    var async: AsyncMark?
    /// Whether the arrow function before the coming body is `async`.
    var arrowIsAsync = false
    /// An initial value. Its guard waits until it is known that no function gets its name from it.
    var initial: GuardInitial?

    /// The member of an object or a class that is being read.
    var member = GuardMember()
    var forHead = GuardForHead()
    /// The beginning of a function's body.
    var prologue: GuardPrologue?

    init(_ kind: Kind, _ position: Position, function: FunctionTraits) {
        self.kind = kind
        self.position = position
        self.function = function
    }

    var holdsStatements: Bool { kind == .statements || kind == .functionBody }

    /// Whether a slash divides here.
    var slashIsOperator: Bool {
        switch position {
        case .value, .memberKey, .letOrName, .memberName, .awaited: true
        default: false
        }
    }
}

/// The keywords of a function, and how its guards count.
struct FunctionTraits {
    var isGenerator = false
    var isAsync = false
    var style = GuardStyle.global
    /// Inside the parameters of a generator. A call does not run the generator's body.
    var isInGeneratorParameters = false
}

/// Where a function or class stands, which says how it goes on behind its body.
enum FunctionPlace {
    case declaration, expression, arrow, objectMember, classMember
}

/// `async`, which may be a keyword or a name.
struct AsyncMark {
    /// Whether it begins a statement.
    var isStatement = false
    /// How many tokens of its frame came since.
    var age = 0
}

/// The member of an object or a class that is being read.
struct GuardMember {
    var isGenerator = false
    var isAsync = false
    var key: Token.Word?
}

/// The head of a `for`.
struct GuardForHead {
    var semicolons = 0
    /// Whether it is a loop over the members or values of something.
    var isOverMembers = false
    /// Where the condition begins, until its first token is known.
    var conditionStart: Int?
}

/// The directives at the beginning of a function's body, behind which the guard stands.
struct GuardPrologue {
    /// The number of the function.
    let number: Int
    /// Where the guard goes.
    var offset: Int
    /// The end of a text that may be a directive.
    var text: Int?
    /// Whether a semicolon must end the last directive.
    var needsSemicolon = false
    var isOver = false
    let style: GuardStyle
    let isAsync: Bool
    /// Whether a loop of the function counts by the function's own counter.
    var hasLoops = false

    init(number: Int, offset: Int, traits: FunctionTraits) {
        self.number = number
        self.offset = offset
        style = traits.style
        isAsync = traits.isAsync
    }
}

/// The initial value of a field, or of a parameter of a generator.
struct GuardInitial {
    let offset: Int
    /// The number of tokens of its frame that were read, including the token after the value.
    var tokens = 0
    /// Whether the first token is a name or a literal, which calls nothing as long as it is alone.
    var beginsPlainly = false
    /// Whether the first token was `async`.
    var isAsync = false
}
