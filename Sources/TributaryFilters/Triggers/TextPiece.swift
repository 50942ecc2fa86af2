/// A few neighbouring bytes of a text. A text that lacks a piece of another text does not contain that text.
struct TextPiece: Sendable, Hashable {
    /// The lengths of pieces, best one first: longer pieces are rarer and are loaded at once.
    static let lengths: [UInt8] = [4, 2, 1]

    let bytes: UInt32
    let length: UInt8

    /// The bytes from that position on. They must exist.
    init(_ text: UnsafeBufferPointer<UInt8>, at position: Int, length: UInt8) {
        let raw = UnsafeRawBufferPointer(text)
        bytes =
            switch length {
            case 4: raw.loadUnaligned(fromByteOffset: position, as: UInt32.self)
            case 2: UInt32(raw.loadUnaligned(fromByteOffset: position, as: UInt16.self))
            default: UInt32(raw[position])
            }
        self.length = length
    }

    /// The pieces of the greatest possible length. The bytes must not be empty. For a long text these are not all
    /// pieces.
    static func all(of bytes: [UInt8]) -> [TextPiece] {
        guard let length = lengths.first(where: { Int($0) <= bytes.count }) else { return [] }
        return bytes.withUnsafeBufferPointer { bytes in
            (0...min(bytes.count - Int(length), 63)).map { TextPiece(bytes, at: $0, length: length) }
        }
    }
}
