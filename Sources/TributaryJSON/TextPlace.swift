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
    ///
    /// Takes time in proportion to these bytes, about a nanosecond for each one in a release build.
    public init(behind offset: Int, in text: some Collection<UInt8>) {
        let before = text.prefix(offset)
        self =
            before.withContiguousStorageIfAvailable(Self.init(endOf:))
            ?? Array(before).withUnsafeBufferPointer(Self.init(endOf:))
    }

    /// Servers make an error of each text that ends too early, so the loops are simple ones over memory.
    private init(endOf text: UnsafeBufferPointer<UInt8>) {
        var (line, start, column) = (1, 0, 1)
        for index in text.indices where text[index] == UInt8(ascii: "\n") { (line, start) = (line + 1, index + 1) }
        for index in start..<text.count where text[index] & 0xC0 != 0x80 { column += 1 }
        self.init(line: line, column: column)
    }

    /// The place in a longer text, in which this text begins a line.
    /// - Parameter first: the number of the line where it begins.
    public func inText(fromLine first: Int) -> TextPlace { TextPlace(line: first + line - 1, column: column) }

    /// The place in words.
    public var description: String { "line \(line), column \(column)" }
}
