import Foundation

/// Writes each line at once, so that a reader of a pipe sees it immediately.
enum Console {
    /// For people and programs that read the output.
    static func out(_ line: String) { write(line + "\n", to: .standardOutput) }

    /// Standard error, for messages.
    static func error(_ line: String) { write("storefront: " + line + "\n", to: .standardError) }

    static func write(_ text: String, to file: FileHandle) {
        try? file.write(contentsOf: Data(text.utf8))  // a reader that is gone is no reason to lose events
    }

    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
