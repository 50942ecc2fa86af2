/// Tells whether a pattern of `match` can be read, for checks of rules.
package enum GlobPattern {
    /// False for a pattern that matches nothing because it is malformed.
    package static func isWellFormed(_ pattern: String) -> Bool {
        var parser = GlobParser(Array(pattern.utf16))
        return parser.parse() != nil
    }
}

/// Reads a glob once; nil for a pattern that matches nothing.
struct GlobParser {
    private let units: [UInt16]
    private var position = 0
    private var tokens: [Glob.Token] = []
    private var ranges: [ClosedRange<UInt16>] = []

    init(_ units: [UInt16]) { self.units = units }

    mutating func parse() -> (tokens: [Glob.Token], ranges: [ClosedRange<UInt16>])? {
        while let unit = next() {
            switch unit {
            case .star: tokens.append(.anyRun)
            case .question: tokens.append(.anyUnit)
            case .openBracket:
                guard let token = characterClass() else { return nil }
                tokens.append(token)
            case .backslash:
                guard let escaped = next() else { return nil }
                tokens.append(.unit(escaped))
            default: tokens.append(.unit(unit))
            }
        }
        return (tokens, ranges)
    }

    private mutating func characterClass() -> Glob.Token? {
        let negated = peek == .caret
        if negated { position += 1 }
        let start = ranges.count
        var isPossible = true
        while true {
            if peek == .closeBracket, ranges.count > start || !isPossible {
                position += 1
                return .units(start..<ranges.count, negated: negated)
            }
            guard let low = classUnit() else { return nil }
            var high = low
            if peek == .dash {
                position += 1
                guard let end = classUnit() else { return nil }
                high = end
            }
            // A range that runs backwards is well-formed and contains nothing.
            if low <= high { ranges.append(low...high) } else { isPossible = false }
        }
    }

    /// One unit inside a class; `-` and `]` must be escaped, and the class must not end with the pattern.
    private mutating func classUnit() -> UInt16? {
        guard var unit = next(), unit != .dash, unit != .closeBracket else { return nil }
        if unit == .backslash {
            guard let escaped = next() else { return nil }
            unit = escaped
        }
        return peek == nil ? nil : unit
    }

    private var peek: UInt16? { position < units.count ? units[position] : nil }

    private mutating func next() -> UInt16? {
        guard let unit = peek else { return nil }
        position += 1
        return unit
    }
}

extension UInt16 {
    fileprivate static let star = UInt16(UInt8(ascii: "*"))
    fileprivate static let question = UInt16(UInt8(ascii: "?"))
    fileprivate static let openBracket = UInt16(UInt8(ascii: "["))
    fileprivate static let closeBracket = UInt16(UInt8(ascii: "]"))
    fileprivate static let caret = UInt16(UInt8(ascii: "^"))
    fileprivate static let dash = UInt16(UInt8(ascii: "-"))
    fileprivate static let backslash = UInt16(UInt8(ascii: "\\"))
}
