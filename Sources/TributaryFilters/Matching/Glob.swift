/// A pattern of `match`, with the rules of Go's `path.Match` but without its separators, over UTF-16 units.
///
/// `*` matches any run, `?` one unit, `[a-z]` a class, `[^a-z]` its complement, and `\\` makes the next unit literal. A
/// pattern with a malformed class or a `\\` at its end matches nothing. The case of letters matters.
struct Glob: Sendable {
    enum Token: Sendable {
        case unit(UInt16)
        case anyUnit
        case anyRun
        /// Ranges at these positions of `ranges`.
        case units(Range<Int>, negated: Bool)
    }

    /// Empty and `isMalformed` for a pattern that matches nothing.
    private(set) var tokens: [Token] = []
    private(set) var ranges: [ClosedRange<UInt16>] = []
    private(set) var isMalformed = false
    private var prefix = Edge()
    private var suffix = Edge()

    /// Up to eight ASCII units that a text must begin or end with, as `FilterValue` has them, and the mask for them.
    private struct Edge: Sendable {
        var bytes: UInt64 = 0
        var mask: UInt64 = 0
    }

    init(_ pattern: String) {
        var parser = GlobParser(Array(pattern.utf16))
        if let parsed = parser.parse() {
            (tokens, ranges) = parsed
        } else {
            isMalformed = true
        }
        prefix = Self.edge(tokens.prefix(8), from: 0, step: 8)
        suffix = Self.edge(tokens.suffix(8).reversed(), from: 56, step: -8)
    }

    /// The longest run of ASCII that is in every text that the pattern matches; empty when there is none.
    var longestText: [UInt8] {
        var longest: [UInt8] = []
        var current: [UInt8] = []
        for token in tokens {
            if case .unit(let unit) = token, unit < 0x80 { current.append(UInt8(unit)) } else { current = [] }
            if current.count > longest.count { longest = current }
        }
        return longest
    }

    private static func edge(_ tokens: some Sequence<Token>, from start: Int, step: Int) -> Edge {
        var edge = Edge()
        var shift = start
        for case .unit(let unit) in tokens.prefix(while: \.isASCIIUnit) {
            edge.bytes |= UInt64(unit) << UInt64(shift)
            edge.mask |= 0xFF << UInt64(shift)
            shift += step
        }
        return edge
    }

    /// False when the text does not begin or end as the pattern demands. This does not look at the text itself.
    func mayMatch(_ text: FilterValue) -> Bool {
        guard text.head & prefix.mask == prefix.bytes else { return false }
        // A shorter text has no tail; looking at it is fast.
        return text.count < 8 || text.tail & suffix.mask == suffix.bytes
    }

    func matches(_ text: String) -> Bool {
        if isMalformed { return false }
        return text.withBytes { bytes in
            var seen: UInt8 = 0
            for byte in bytes { seen |= byte }
            if seen < 0x80 { return matches(units: bytes) }
            return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: bytes.count) { buffer in
                var count = 0
                for unit in text.utf16 {
                    buffer.initializeElement(at: count, to: unit)
                    count += 1
                }
                return matches(units: UnsafeBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }

    /// Goes back only to the last `*`, so it takes at most the length of the text times that of the pattern.
    private func matches<Unit: FixedWidthInteger & UnsignedInteger>(units: UnsafeBufferPointer<Unit>) -> Bool {
        var position = 0
        var token = 0
        var afterRun: Int?
        var runEnd = 0
        while position < units.count {
            if token < tokens.count {
                if case .anyRun = tokens[token] {
                    token += 1
                    afterRun = token
                    runEnd = position
                    continue
                }
                if matches(tokens[token], UInt16(units[position])) {
                    token += 1
                    position += 1
                    continue
                }
            }
            guard let afterRun else { return false }
            runEnd += 1
            position = runEnd
            token = afterRun
        }
        return tokens[token...].allSatisfy { if case .anyRun = $0 { true } else { false } }
    }

    private func matches(_ token: Token, _ unit: UInt16) -> Bool {
        switch token {
        case .unit(let wanted): unit == wanted
        case .anyUnit, .anyRun: true
        case .units(let positions, let negated): ranges[positions].contains { $0.contains(unit) } != negated
        }
    }
}

extension Glob.Token {
    fileprivate var isASCIIUnit: Bool {
        if case .unit(let unit) = self { return unit < 0x80 }
        return false
    }
}
