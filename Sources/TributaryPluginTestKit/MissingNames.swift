import TributaryScript

/// Finds names that exist in browsers and Node and not for live plugins.
///
/// It looks outside of comments and texts, and not at names of members. A script may have a variable with such a name,
/// so a find is only a hint.
enum MissingNames {
    /// Each use, with its line.
    static func uses(in source: String) -> [(name: String, line: Int)] {
        // A script may well have variables with these short and common names.
        let names = AbsentNames.all.subtracting([
            "self", "location", "process", "module", "exports", "Request", "Response", "tables",
        ])
        var scan = ScriptScan(source)
        var found: [(String, Int)] = []
        while let token = scan.next() {
            if case .word(let word, let line) = token, names.contains(word) { found.append((word, line)) }
        }
        return found
    }
}
