import ArgumentParser

/// A step that no command can undo.
struct IrreversibleStep: Equatable {
    /// The data that is lost, one thing in each line. When no data is lost, there is nothing to confirm.
    let losses: [String]
    /// The question to a person at a terminal.
    let question: String
    /// The result when the step is not taken, such as "nothing was removed".
    let otherwise: String

    /// Returns when the step is confirmed. It shows what would go, and asks at a terminal.
    /// - Parameters:
    ///   - isGiven: whether the command line confirms it.
    ///   - ask: asks a person; nil when there is none.
    func confirm(isGiven: Bool, ask: (String) -> Bool? = Question.confirms) throws(Failure) {
        guard !isGiven, !losses.isEmpty else { return }
        Console.error("This cannot be undone:")
        for loss in losses { Console.error("  \(loss)") }
        switch ask(question) {
        case true?: return
        case false?: throw Failure(otherwise)
        case nil: throw Failure("\(otherwise); add --yes to do it")
        }
    }
}

/// How a step that cannot be undone is confirmed.
struct ConfirmationOptions: ParsableArguments {
    @Flag(help: "Do what cannot be undone without a question. It is needed where no terminal can be asked.")
    var yes = false

    /// Returns when the step is confirmed.
    func confirm(_ step: IrreversibleStep) throws(Failure) { try step.confirm(isGiven: yes) }
}
