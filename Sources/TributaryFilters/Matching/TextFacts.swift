/// Facts about a text that many rules look at, found in one pass.
struct TextFacts: Sendable {
    /// One bit for the low six bits of each byte in the text. A text that lacks a bit of another text does not contain
    /// that text.
    let bytes: UInt64
    /// The length in UTF-16 units; negative for a text that has not been looked at.
    let units: Int
    let isASCII: Bool

    static let unknown = TextFacts(bytes: 0, units: -1, isASCII: true)

    private init(bytes: UInt64, units: Int, isASCII: Bool) {
        self.bytes = bytes
        self.units = units
        self.isASCII = isASCII
    }

    init(_ text: String) {
        self = text.withBytes { buffer in
            var bytes: UInt64 = 0
            var units = 0
            var seen: UInt8 = 0
            for byte in buffer {
                seen |= byte
                bytes |= 1 &<< UInt64(byte & 63)
                units &+= (byte & 0xC0 != 0x80 ? 1 : 0) &+ (byte >= 0xF0 ? 1 : 0)
            }
            return TextFacts(bytes: bytes, units: units, isASCII: seen < 0x80)
        }
    }

    /// False when this text certainly does not contain the other text; true means nothing.
    func mayContain(_ other: TextFacts) -> Bool { other.bytes & ~bytes == 0 }
}
