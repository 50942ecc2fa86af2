import Foundation

/// Divides a long answer into its lines, as its pieces come.
struct AnswerLines {
    private static let newline = UInt8(ascii: "\n")
    private var rest: [UInt8] = []

    /// Takes a piece, and gives each line that is complete to `body`, without its end.
    mutating func take(_ piece: Data, _ body: ([UInt8]) throws -> Void) rethrows {
        rest += piece
        var begin = rest.startIndex
        while let end = rest[begin...].firstIndex(of: Self.newline) {
            try body(Array(rest[begin..<end]))
            begin = end + 1
        }
        rest.removeSubrange(..<begin)
    }
}
