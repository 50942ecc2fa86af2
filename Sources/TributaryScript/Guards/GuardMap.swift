/// Finds the column in the original of a column in the script with guards. Lines are the same in both.
///
/// The first question reads the script once. Each question then takes a time that grows with the logarithm of the number
/// of guards. For one thread at a time.
final class GuardMap {
    /// A guard in a line.
    private struct Insertion {
        /// Where it stands in the original's line, counted from 1, in units of UTF-16.
        let column: Int
        let length: Int
        /// The length of all guards before it in the line.
        let shift: Int
    }

    private let source: String
    private let firstLine: Int
    private let insertions: [(offset: Int, length: Int)]
    /// The guards of each line that has some, in their order.
    private lazy var lines = Self.lines(source, insertions)

    /// - Parameter insertions: offsets of bytes, in their order, and lengths.
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
        guard let insertions = lines[line - firstLine + 1] else { return max(1, column) }
        // The guards before the place: the first of the others is looked for.
        var (low, high) = (0, insertions.count)
        while low < high {
            let middle = (low + high) / 2
            if insertions[middle].column + insertions[middle].shift < column { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return max(1, column) }
        let last = insertions[low - 1]
        // A place inside of a guard is the place of the guard.
        if last.column + last.shift + last.length > column { return last.column }
        return max(1, column - last.shift - last.length)
    }

    private static func lines(
        _ source: String, _ insertions: [(offset: Int, length: Int)]
    ) -> [Int: [Insertion]] {
        var source = source
        return source.withUTF8 { bytes in
            var lines: [Int: [Insertion]] = [:]
            var found: [Insertion] = []
            var (line, column, shift, next) = (1, 1, 0, 0)
            for offset in 0...bytes.count {
                while next < insertions.count, insertions[next].offset == offset {
                    let length = insertions[next].length
                    found.append(Insertion(column: column, length: length, shift: shift))
                    shift += length
                    next += 1
                }
                guard offset < bytes.count else { break }
                if endsLine(bytes, at: offset) {
                    if !found.isEmpty { lines[line] = found }
                    (found, shift, column) = ([], 0, 1)
                    line += 1
                } else {
                    let byte = bytes[offset]
                    column += (byte & 0xC0 != 0x80 ? 1 : 0) + (byte >= 0xF0 ? 1 : 0)
                }
            }
            if !found.isEmpty { lines[line] = found }
            return lines
        }
    }

    /// Whether a byte is the last one of a line's end: U+2028 and U+2029 end a line too, and the first half of CR LF ends
    /// none.
    private static func endsLine(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
        switch bytes[offset] {
        case 0x0A: true
        case 0x0D: offset + 1 == bytes.count || bytes[offset + 1] != 0x0A
        case 0xA8, 0xA9: offset >= 2 && bytes[offset - 1] == 0x80 && bytes[offset - 2] == 0xE2
        default: false
        }
    }
}
