/// How a regular expression may be used when nothing can stop the engine.
enum ExpressionUse: Hashable {
    /// The time grows with the length of the text and no faster.
    case anyText
    /// A long text is tried from one character after the other, with a look at the budget in between, because each try
    /// takes a time that grows with the length.
    case stepByStep
    /// The ways through each text are counted first, because on some texts there are very many.
    case counted
    /// The expression is too large for an analysis.
    case refused

    /// The number for the scripts of the sandbox.
    var number: Double {
        switch self {
        case .anyText: -1
        case .stepByStep: 0
        case .counted: -2
        case .refused: -3
        }
    }
}
