import TributaryScript

/// Finds names that scripts know from browsers and Node and that live plugins do not have.
///
/// It looks outside of comments and texts, and not at names of members. A script may have a variable with such a name,
/// so a find is only a hint.
enum MissingNames {
    /// Each use with its line.
    static func uses(in source: String) -> [(name: String, line: Int)] {
        // Short and common names are as likely to be the script's own.
        let names = AbsentNames.all.subtracting([
            "self", "location", "process", "module", "exports", "Request", "Response",
        ])
        var scan = ScriptScan(source)
        var found: [(String, Int)] = []
        while let token = scan.next() {
            if case .word(let word, let line) = token, names.contains(word) { found.append((word, line)) }
        }
        return found
    }
}
