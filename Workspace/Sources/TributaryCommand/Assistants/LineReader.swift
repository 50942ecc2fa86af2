import Foundation

/// Reads lines from a pipe, with the memory of one line.
struct LineReader: Sendable {
    enum Line: Equatable, Sendable {
        case text([UInt8])
        /// A line beyond the limit, which was skipped.
        case tooLong
    }

    private let file: Int32
    private let limit: Int
    private var buffer: [UInt8] = []
    private var position = 0

    /// - Parameters:
    ///   - file: the descriptor to read.
    ///   - limit: the most bytes of a line.
    init(_ file: Int32, limit: Int) {
        self.file = file
        self.limit = limit
    }

    /// Waits for the next line and returns it without its end; nil at the end of the input. The last line needs no end.
    mutating func next() -> Line? {
        var line: [UInt8] = []
        var (isTooLong, hasBytes) = (false, false)
        while true {
            if position == buffer.count {
                guard fill() else { break }
            }
            hasBytes = true
            let rest = buffer[position...]
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            let piece = rest[..<(end ?? buffer.count)]
            position = end.map { $0 + 1 } ?? buffer.count
            isTooLong = isTooLong || line.count + piece.count > limit
            line = isTooLong ? [] : line + piece
            if end != nil { break }
        }
        guard hasBytes else { return nil }
        return isTooLong ? .tooLong : .text(line)
    }

    /// Reads more bytes; false at the end. An input that cannot be read has ended, too.
    private mutating func fill() -> Bool {
        position = 0
        buffer = [UInt8](repeating: 0, count: 64 << 10)
        var count = 0
        repeat { count = read(file, &buffer, buffer.count) } while count < 0 && errno == EINTR
        buffer.removeLast(buffer.count - max(0, count))
        return count > 0
    }
}
