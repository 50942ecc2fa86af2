/// Patterns for names of members: `*` matches any part of a name, `?` one character, and dots separate the names of a
/// path.
package struct KeyPatterns: Sendable {
    private typealias Pattern = [Unicode.Scalar]

    /// Names that match at any depth.
    private let names: [Pattern]
    /// Whole paths.
    private let paths: [[Pattern]]

    package init(_ patterns: [String]) {
        let split = patterns.filter { !$0.isEmpty }.map { pattern in
            pattern.split(separator: ".", omittingEmptySubsequences: false).map { Self.scalars(String($0)) }
        }
        names = split.filter { $0.count == 1 }.compactMap(\.first)
        paths = split.filter { $0.count > 1 }
    }

    /// Whether a member with that name matches, in the object at the path.
    package func match(_ key: String, in path: [String]) -> Bool {
        let key = Self.scalars(key)
        if names.contains(where: { Self.match($0, key) }) { return true }
        return paths.contains { pattern in
            guard pattern.count == path.count + 1, let last = pattern.last, Self.match(last, key) else { return false }
            return zip(pattern, path).allSatisfy { Self.match($0, Self.scalars($1)) }
        }
    }

    private static func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.lowercased().unicodeScalars) }

    /// Goes back only to the last `*`, so it takes at most the length of the pattern times that of the text.
    private static func match(_ pattern: Pattern, _ text: [Unicode.Scalar]) -> Bool {
        var position = 0
        var textPosition = 0
        var star: (pattern: Int, text: Int)?
        while textPosition < text.count {
            if position < pattern.count, pattern[position] == "*" {
                star = (position, textPosition)
                position += 1
            } else if position < pattern.count, pattern[position] == "?" || pattern[position] == text[textPosition] {
                position += 1
                textPosition += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                position = last.pattern + 1
                textPosition = last.text + 1
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == "*" }
    }
}
