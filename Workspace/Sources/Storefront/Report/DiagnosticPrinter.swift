import Tributary

/// Says on the error output what the client reports; the same thing again only when something else came between.
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
