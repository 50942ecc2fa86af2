/// How a regular expression may be used when nothing can stop the engine.
enum ExpressionUse: Hashable {
    case anyText
    /// A long text is tried from one character after the other, with a look at the budget in between, because each try
    /// takes a time that grows with the length.
    case stepByStep
    /// A text of this length that does not match takes some hundredths of a second.
    case texts(atMost: Int)

    /// The number for the scripts of the sandbox.
    var number: Double {
        switch self {
        case .anyText: -1
        case .stepByStep: 0
        case .texts(let most): Double(most)
        }
    }
}
