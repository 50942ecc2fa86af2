import ProgramSupport
import Tributary

/// Prints the client's diagnostics on standard error. It repeats a diagnostic only when another one came between.
struct DiagnosticPrinter: Sendable {
    private let last = Locked("")

    func print(_ diagnostic: Diagnostic) {
        let line = diagnostic.description
        let isNew = last.withLock { last in
            defer { last = line }
            return last != line
        }
        if isNew { Console.error(line) }
    }
}
