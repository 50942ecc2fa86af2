/// A JSON text without space between its tokens, so that it is one line.
package enum CompactText {
    private static let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))

    /// - Parameter bytes: a valid JSON text.
    package static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
            guard let source = bytes.baseAddress, let target = output.baseAddress else { return }
            var position = 0
            while position < bytes.count {
                let byte = source[position]
                guard byte != quote else {
                    // Most of an event is strings, and they are copied whole.
                    let length = endOfString(position, in: bytes) - position
                    (target + count).update(from: source + position, count: length)
                    count += length
                    position += length
                    continue
                }
                position += 1
                if byte == 0x20 || (0x09...0x0D).contains(byte) { continue }
                target[count] = byte
                count += 1
            }
        }
    }

    /// The place behind a string.
    /// - Parameter start: the place of its first quote.
    private static func endOfString(_ start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var position = start + 1
        while position < bytes.count {
            position = PlainText.end(in: bytes, from: position)
            guard position < bytes.count else { break }
            switch bytes[position] {
            case quote: return position + 1
            case backslash: position += 2
            default:
                repeat { position += 1 } while position < bytes.count && bytes[position] >= 0x80
            }
        }
        return bytes.count
    }
}
