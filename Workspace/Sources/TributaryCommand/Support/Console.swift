import Foundation

/// The standard error output.
enum Console {
    /// Nobody reads: nothing to be done.
    static func error(_ line: String) { write(line + "\n") }

    // When nobody reads there is nobody to tell.
    static func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

    static var errorsAreOnTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
