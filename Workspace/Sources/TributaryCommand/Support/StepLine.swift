import Foundation

/// Shows a person at a terminal what a long command does now, in one line of the error output.
enum StepLine {
    private static var isTerminal: Bool { isatty(FileHandle.standardError.fileDescriptor) == 1 }

    static func write(_ text: String) {
        guard isTerminal else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }

    /// Removes the line.
    static func end() { write("") }
}
