/// Cuts what comes out of a pipe into lines.
struct LineSplitter {
    /// A line that is longer is cut.
    private static let longestLine = 1 << 16

    private var open: [UInt8] = []

    /// The lines that are whole now.
    mutating func add(_ bytes: some Sequence<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || open.count == Self.longestLine {
                lines.append(String(decoding: open, as: UTF8.self))
                open = []
            }
            if byte != UInt8(ascii: "\n") { open.append(byte) }
        }
        return lines
    }

    /// What came after the last line end; nil when nothing did.
    var rest: String? { open.isEmpty ? nil : String(decoding: open, as: UTF8.self) }
}
