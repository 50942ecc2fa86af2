/// Finds names that belong to the guards, however a script writes them.
enum ReservedNames {
    /// The place of the first of them, in the text or in a form with `\u` escapes; nil when there is none.
    ///
    /// Texts and comments count too: no script needs such a name, and a distinction would be one more piece of code to
    /// trust.
    static func offset(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let prefix = Array(GuardText.prefix.utf8)
        var matched = 0
        var start = 0
        var position = 0
        while position < bytes.count {
            let (byte, length) = character(bytes, at: position)
            // The prefix begins with two underscores and has no others but its last.
            if byte != prefix[matched] { matched = matched == 2 && byte == prefix[0] ? 1 : 0 }
            if byte == prefix[matched] {
                if matched == 0 { start = position }
                matched += 1
                if matched == prefix.count { return start }
            }
            position += length
        }
        return nil
    }

    /// The ASCII character that stands there, perhaps as `\u005f` or `\u{5f}`, and how many bytes that takes.
    private static func character(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> (UInt8, Int) {
        let plain = (bytes[position], 1)
        guard bytes[position] == UInt8(ascii: "\\"), position + 2 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        else { return plain }
        let isBraced = bytes[position + 2] == UInt8(ascii: "{")
        var place = position + (isBraced ? 3 : 2)
        var value = 0
        let first = place
        while place < bytes.count, isBraced || place < first + 4, let digit = hexadecimal(bytes[place]) {
            value = min(value * 16 + digit, 0xFFFF)
            place += 1
        }
        guard place > first, value < 0x80 else { return plain }
        if isBraced {
            guard place < bytes.count, bytes[place] == UInt8(ascii: "}") else { return plain }
            place += 1
        }
        return (UInt8(value), place - position)
    }

    private static func hexadecimal(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
