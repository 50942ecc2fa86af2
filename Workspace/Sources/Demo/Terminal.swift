import Foundation
import ProgramSupport

/// The output for people: a terminal with a little style, or a plain file.
struct Terminal: Sendable {
    /// Whether a user may be watching and can press Ctrl-C.
    let isInteractive = isatty(STDOUT_FILENO) == 1

    func line(_ text: String = "") { write(text + "\n") }

    func write(_ text: String) {
        Waiting.clear()
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))  // an output that is closed has no readers
    }

    func bold(_ text: String) -> String { isInteractive ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    /// A line with its subject in a column of its own.
    func item(_ subject: String, _ text: String) {
        line("  " + bold(subject + String(repeating: " ", count: max(1, 12 - subject.count))) + text)
    }

    func fail(_ error: DemoError) {
        Waiting.finish()
        let lines = ["demo: \(error.description)"] + error.details.map { "  | " + $0 }
        try? FileHandle.standardError.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
    }
}
