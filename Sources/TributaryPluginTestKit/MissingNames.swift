/// Finds names that exist in browsers and Node and not for live plugins.
///
/// It looks outside of comments and texts, and not at names of members. A script may have a variable with such a name,
/// so a find is only a hint.
enum MissingNames {
    private static let names: Set<String> = [
        "fetch", "XMLHttpRequest", "WebSocket", "setTimeout", "setInterval", "setImmediate", "requestAnimationFrame",
        "queueMicrotask", "require", "window", "document", "navigator", "localStorage", "sessionStorage", "eval",
        "Function", "WebAssembly", "Atomics", "SharedArrayBuffer", "WeakRef", "FinalizationRegistry", "Buffer",
    ]

    /// Each use, with its line.
    static func uses(in source: String) -> [(name: String, line: Int)] {
        var scan = ScriptScan(source)
        var found: [(String, Int)] = []
        while let token = scan.next() {
            if case .word(let word, let line) = token, names.contains(word) { found.append((word, line)) }
        }
        return found
    }
}
