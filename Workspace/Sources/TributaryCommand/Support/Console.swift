import Foundation
import ProgramSupport

/// Standard error.
enum Console {
    /// Writes a line.
    static func error(_ line: String) {
        Waiting.clear()
        write(line + "\n")
    }

    // An error of the write is ignored, because there is no other output to report it to.
    static func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

    static var errorsAreOnTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
