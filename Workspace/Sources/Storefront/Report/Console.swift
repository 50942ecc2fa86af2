import Foundation

/// Writes lines at once, so that whoever reads through a pipe sees them when they are written.
enum Console {
    /// For people and programs that read the output.
    static func out(_ line: String) { write(line + "\n", to: .standardOutput) }

    /// For what is said besides the output.
    static func error(_ line: String) { write("storefront: " + line + "\n", to: .standardError) }

    static func write(_ text: String, to file: FileHandle) {
        try? file.write(contentsOf: Data(text.utf8))  // a reader that is gone is no reason to lose events
    }

    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
