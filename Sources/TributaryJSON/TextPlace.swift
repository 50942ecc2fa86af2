/// A place in a text, as people and editors count: from 1, a column for each character of Unicode.
public struct TextPlace: Sendable, Hashable, CustomStringConvertible {
    /// The line.
    public let line: Int
    /// The column.
    public let column: Int

    /// A place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The place behind the first bytes of a text in UTF-8.
    public init(behind offset: Int, in text: some Collection<UInt8>) {
        var (line, column) = (1, 1)
        for byte in text.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                (line, column) = (line + 1, 1)
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.init(line: line, column: column)
    }

    /// The place in a longer text, in which this text begins a line.
    /// - Parameter first: the number of the line where it begins.
    public func inText(fromLine first: Int) -> TextPlace { TextPlace(line: first + line - 1, column: column) }

    /// The place in words.
    public var description: String { "line \(line), column \(column)" }
}
