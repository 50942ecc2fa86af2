/// Leaves out what a JSON text nests too deeply, and only that.
public enum NestingCut {
    /// The text without the arrays and objects below a level. Members that hold one go with their names.
    ///
    /// A text that is not JSON comes back as some other text that is not JSON, or is empty.
    /// - Parameter depth: the levels that stay, at least 1.
    public static func cut(_ text: [UInt8], below depth: Int) -> [UInt8] {
        var cut = Cut(depth: max(1, depth))
        for byte in text { cut.take(byte) }
        return cut.kept
    }

    private struct Cut {
        let depth: Int
        private(set) var kept: [UInt8] = []
        private var level = 0
        private var isInString = false
        private var isEscaped = false
        /// Where in `kept` the element or member of the last level begins that is being read.
        private var start = 0
        /// Whether a value was left out and the comma behind it is still to come.
        private var hasLeftOut = false

        init(depth: Int) { self.depth = depth }

        mutating func take(_ byte: UInt8) {
            if isInString {
                passString(byte)
                return keep(byte)
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open(byte)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): close(byte)
            case UInt8(ascii: ","):
                if level == depth, hasLeftOut {
                    hasLeftOut = false
                    return kept.removeLast(kept.count - start)
                }
                keep(byte)
                if level == depth { start = kept.count }
            default:
                isInString = byte == UInt8(ascii: "\"")
                keep(byte)
            }
        }

        private mutating func keep(_ byte: UInt8) { if level <= depth { kept.append(byte) } }

        private mutating func passString(_ byte: UInt8) {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
        }

        private mutating func open(_ byte: UInt8) {
            if level == depth { kept.removeLast(kept.count - start) }
            level += 1
            keep(byte)
            if level == depth {
                start = kept.count
                hasLeftOut = false
            }
        }

        private mutating func close(_ byte: UInt8) {
            guard level > 0 else { return keep(byte) }
            if level == depth, hasLeftOut {
                hasLeftOut = false
                kept.removeLast(kept.count - start)
                // The comma before a last element that was left out.
                if kept.last == UInt8(ascii: ",") { kept.removeLast() }
            }
            keep(byte)
            level -= 1
            if level == depth { hasLeftOut = true }
        }
    }
}
