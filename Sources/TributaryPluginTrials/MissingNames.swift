/// Finds names that scripts know from browsers and Node and that live plugins do not have.
///
/// A word counts outside of comments and texts, and not as the name of a member. A script may have a variable of such a
/// name, so this is a hint and no verdict.
enum MissingNames {
    private static let names: Set<String> = [
        "fetch", "XMLHttpRequest", "WebSocket", "setTimeout", "setInterval", "setImmediate", "requestAnimationFrame",
        "queueMicrotask", "require", "window", "document", "navigator", "localStorage", "sessionStorage", "eval",
        "Function", "WebAssembly", "Atomics", "SharedArrayBuffer", "WeakRef", "FinalizationRegistry", "Buffer",
    ]

    /// Each use with its line.
    static func uses(in source: String) -> [(name: String, line: Int)] {
        var scan = Scan(bytes: Array(source.utf8))
        var found: [(String, Int)] = []
        while let (word, line) = scan.nextWord() {
            if names.contains(word) { found.append((word, line)) }
        }
        return found
    }

    /// Goes from word to word.
    private struct Scan {
        let bytes: [UInt8]
        var position = 0
        var line = 1
        var isMember = false

        mutating func nextWord() -> (String, Int)? {
            while position < bytes.count {
                let byte = bytes[position]
                if Self.isWord(byte) {
                    let word = takeWord()
                    defer { isMember = false }
                    if !isMember { return (word, line) }
                } else if byte == UInt8(ascii: "/"), skipComment() {
                    continue
                } else if "\"'`".utf8.contains(byte) {
                    skipText(byte)
                } else {
                    if byte == UInt8(ascii: "\n") { line += 1 }
                    if byte > 0x20 { isMember = byte == UInt8(ascii: ".") }
                    position += 1
                }
            }
            return nil
        }

        private mutating func takeWord() -> String {
            let start = position
            while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        private mutating func skipComment() -> Bool {
            guard position + 1 < bytes.count else { return false }
            switch bytes[position + 1] {
            case UInt8(ascii: "/"):
                while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
            case UInt8(ascii: "*"):
                position += 2
                while position < bytes.count, !endsComment() { advance() }
                position += 2
            default: return false
            }
            return true
        }

        private func endsComment() -> Bool {
            bytes[position] == UInt8(ascii: "*") && position + 1 < bytes.count
                && bytes[position + 1] == UInt8(ascii: "/")
        }

        private mutating func skipText(_ quote: UInt8) {
            position += 1
            while position < bytes.count, bytes[position] != quote {
                if bytes[position] == UInt8(ascii: "\\") { advance() }
                advance()
            }
            position += 1
        }

        private mutating func advance() {
            if position < bytes.count, bytes[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }

        private static func isWord(_ byte: UInt8) -> Bool {
            byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte &- UInt8(ascii: "0") < 10
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
        }
    }
}
