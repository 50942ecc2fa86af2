/// The file in which a Linux distribution describes itself: `NAME="Debian GNU/Linux"`, a shell assignment on each line.
struct OSRelease {
    private(set) var values: [String: String] = [:]

    init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = Self.unquoted(parts[1])
            if !value.isEmpty { values[String(parts[0])] = value }
        }
    }

    /// The text without the quotes around it and the backslashes in it.
    private static func unquoted(_ text: Substring) -> String {
        var text = text
        while text.last?.isWhitespace == true { text.removeLast() }
        if let quote = text.first, text.count >= 2, quote == "\"" || quote == "'", text.last == quote {
            text = text.dropFirst().dropLast()
            if quote == "'" { return String(text) }
        }
        var result = ""
        var isEscaped = false
        for character in text {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }
}
