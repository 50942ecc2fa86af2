/// Finds the column in the original of a column in the script with guards. Lines are the same in both.
struct GuardMap: Sendable {
    private let source: String
    /// In the order of their offsets.
    private let insertions: [(offset: Int, length: Int)]
    private let firstLine: Int

    init(source: String, insertions: [(offset: Int, length: Int)], firstLine: Int) {
        self.source = source
        self.insertions = insertions
        self.firstLine = firstLine
    }

    /// The column of the original.
    ///
    /// - Parameters:
    ///   - column: counted from 1, in units of UTF-16, as the engine does.
    ///   - line: as the engine counts it, from the first line of the script on.
    func column(of column: Int, line: Int) -> Int {
        guard let bounds = bounds(ofLine: line - firstLine + 1) else { return column }
        let bytes = Array(source.utf8[bounds])
        let start = source.utf8.distance(from: source.startIndex, to: bounds.lowerBound)
        var shift = 0
        for insertion in insertions where insertion.offset >= start && insertion.offset <= start + bytes.count {
            let place = Self.units(bytes[..<(insertion.offset - start)]) + 1
            if place + shift >= column { break }
            // A place inside of a guard is the place of the guard.
            if place + shift + insertion.length > column { return place }
            shift += insertion.length
        }
        return max(1, column - shift)
    }

    /// The bytes of a line without its end.
    private func bounds(ofLine line: Int) -> Range<String.Index>? {
        let scalars = source.unicodeScalars
        var start = scalars.startIndex
        var current = 1
        var index = start
        while index < scalars.endIndex {
            let next = scalars.index(after: index)
            if Self.endsLine(scalars[index], before: next < scalars.endIndex ? scalars[next] : nil) {
                if current == line { return start..<index }
                current += 1
                start = next
            }
            index = next
        }
        return current == line ? start..<scalars.endIndex : nil
    }

    /// The first half of CR LF ends no line of its own.
    private static func endsLine(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
        switch scalar {
        case "\r": next != "\n"
        case "\n", "\u{2028}", "\u{2029}": true
        default: false
        }
    }

    private static func units(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) + ($1 >= 0xF0 ? 1 : 0) }
    }
}
