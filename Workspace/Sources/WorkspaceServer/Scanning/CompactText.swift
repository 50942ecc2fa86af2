/// A JSON text without space between its tokens, so that it is one line.
enum CompactText {
    /// - Parameter bytes: a valid JSON text.
    static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
            var isInString = false
            var isEscaped = false
            for byte in bytes {
                if isInString {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        isInString = false
                    }
                } else if byte == UInt8(ascii: "\"") {
                    isInString = true
                } else if byte == 0x20 || (0x09...0x0D).contains(byte) {
                    continue
                }
                output[count] = byte
                count += 1
            }
        }
    }
}
