import Foundation

/// Standard error.
enum Console {
    /// Nobody reads the output, so nothing can be done.
    static func error(_ line: String) { write(line + "\n") }

    // Nobody reads the output, so the error cannot be shown.
    static func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

    static var errorsAreOnTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
