import Foundation
import TributaryFilterTestKit
import TributaryJSON

/// Colours for terminals. There are none for files and pipes, or when `NO_COLOR` is set.
struct OutputStyle: Sendable {
    /// The largest number of places in a shown difference, and of characters in a value.
    private static let shownPlaces = 20
    private static let shownCharacters = 120

    let hasColours: Bool

    init(isTerminal: Bool, environment: [String: String]) {
        hasColours = isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    static let output = OutputStyle(
        isTerminal: isatty(STDOUT_FILENO) == 1, environment: ProcessInfo.processInfo.environment)
    static let errors = OutputStyle(
        isTerminal: Console.errorsAreOnTerminal, environment: ProcessInfo.processInfo.environment)

    func bold(_ text: String) -> String { paint(text, "1") }
    func bad(_ text: String) -> String { paint(text, "31") }
    func good(_ text: String) -> String { paint(text, "32") }

    func faint(_ text: String) -> String { paint(text, "2") }

    /// A type of event, in a colour of its own.
    func type(_ type: String, _ text: String) -> String {
        let colours = ["track": "36", "identify": "35", "screen": "33", "page": "33", "group": "34", "alias": "34"]
        return paint(text, colours[type] ?? "31")
    }

    /// The places where two values differ, the first value's with `-`, the second's with `+`.
    func difference(_ before: JSON, _ after: JSON) -> [String] {
        let differences = JSONDifference.between(before, after, limit: Self.shownPlaces + 1)
        var lines: [String] = []
        for difference in differences.prefix(Self.shownPlaces) {
            let path = difference.path.isEmpty ? "(all)" : difference.path
            if let before = difference.before { lines.append(bad("  - \(path): \(Self.shortened(before))")) }
            if let after = difference.after { lines.append(good("  + \(path): \(Self.shortened(after))")) }
        }
        if differences.count > Self.shownPlaces { lines.append("  … and more") }
        return lines
    }

    private static func shortened(_ json: JSON) -> String {
        let text = json.description
        return text.count > shownCharacters ? text.prefix(shownCharacters) + "…" : text
    }

    private func paint(_ text: String, _ code: String) -> String {
        hasColours && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
