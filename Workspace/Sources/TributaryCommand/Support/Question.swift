import Foundation

/// A question to a person at a terminal.
enum Question {
    /// Asks, and returns whether the answer is yes; nil when no person can answer, because the input is no terminal.
    static func confirms(_ text: String) -> Bool? {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        Console.write("\(text) [y/N] ")
        return ["y", "yes"].contains(readLine()?.trimmingCharacters(in: .whitespaces).lowercased())
    }

    /// Shows a question and returns the line that is typed; nil at the end of the input.
    static func answer(_ text: String) -> String? {
        Console.write("\(text) ")
        return readLine()
    }
}
