import TributaryFilterTestKit
import TributaryJSON

/// Prints the expected and the actual result of a vector.
struct VectorReport {
    let lines: [String]

    init(_ path: String, _ verdict: VectorFile.Verdict, _ failure: VectorFile.Failure, style: OutputStyle) {
        let name = verdict.name.isEmpty ? "" : "  \(verdict.name)"
        var lines = ["\(style.bad("FAIL"))  \(path) [\(verdict.position)]\(name)"]
        switch (failure.expected, failure.got) {
        case (.value(let expected)?, .value(let got)) where Self.isLong(expected) && Self.isLong(got):
            lines.append("  - expected, + got")
            lines += style.difference(expected, got)
        case (let expected?, let got):
            lines.append("  expected  \(Self.shortened(expected.description))")
            lines.append("  got       \(Self.shortened(got.description))")
        case (nil, let got):
            lines.append("  the vector cannot be read: \(got)")
        }
        self.lines = lines
    }

    /// Objects and arrays are shown by their differences.
    private static func isLong(_ json: JSON) -> Bool { json.objectValue != nil || json.elements != nil }

    private static func shortened(_ text: String) -> String {
        text.count > 400 ? text.prefix(400) + "…" : text
    }
}
