/// Goes through the words and texts of a script, outside of comments.
struct ScriptScan {
    enum Token {
        /// A word that is not the name of a member, with its line.
        case word(String, line: Int)
        /// The name of a member, as in `object.name`.
        case member(String, line: Int)
        /// A text between quotes, as it is written, with the line where it begins.
        case text(String, line: Int)
    }

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var isMember = false

    init(_ source: String) { bytes = Array(source.utf8) }

    mutating func next() -> Token? {
        while position < bytes.count {
            let byte = bytes[position]
            if Self.isWord(byte) {
                let word = takeWord()
                defer { isMember = false }
                return isMember ? .member(word, line: line) : .word(word, line: line)
            } else if byte == UInt8(ascii: "/"), skipComment() {
                continue
            } else if "\"'`".utf8.contains(byte) {
                let first = line
                return .text(takeText(byte), line: first)
            } else {
                if byte == UInt8(ascii: "\n") { line += 1 }
                if byte > 0x20 { isMember = isDot(position) && !isDot(position - 1) }
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

    private mutating func takeText(_ quote: UInt8) -> String {
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != quote {
            if bytes[position] == UInt8(ascii: "\\") { advance() }
            advance()
        }
        defer { position += 1 }
        return String(decoding: bytes[min(start, bytes.count)..<min(position, bytes.count)], as: UTF8.self)
    }

    private mutating func advance() {
        if position < bytes.count, bytes[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    /// One dot stands before a member, three before a spread value.
    private func isDot(_ position: Int) -> Bool {
        bytes.indices.contains(position) && bytes[position] == UInt8(ascii: ".")
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte &- UInt8(ascii: "0") < 10
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
    }
}
