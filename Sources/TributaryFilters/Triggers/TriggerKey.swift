/// The keys of conditions in a `TriggerTable`. When two triggers share a key, some conditions are evaluated in vain.
enum TriggerKey {
    private enum Sort: UInt64 { case kind, number, text, lowercase, beyondASCII, piece }

    static func kind(_ place: Int32, _ kind: FilterValue.Kind) -> UInt64 { key(.kind, place, UInt64(kind.rawValue)) }

    /// Zero has two forms, which are equal.
    static func number(_ place: Int32, _ number: Double) -> UInt64 {
        key(.number, place, number == 0 ? 0 : number.bitPattern)
    }

    static func text(_ place: Int32, _ hash: UInt64) -> UInt64 { key(.text, place, hash) }

    static func lowercase(_ place: Int32, _ hash: UInt64) -> UInt64 { key(.lowercase, place, hash) }

    /// Texts beyond ASCII. Their lower case is built only for a condition itself.
    static func beyondASCII(_ place: Int32) -> UInt64 { key(.beyondASCII, place, 0) }

    static func piece(_ place: Int32, _ piece: TextPiece) -> UInt64 {
        key(.piece, place, UInt64(piece.length) << 32 | UInt64(piece.bytes))
    }

    static func bit(of kind: FilterValue.Kind) -> UInt8 { 1 &<< kind.rawValue }

    private static func key(_ sort: Sort, _ place: Int32, _ value: UInt64) -> UInt64 {
        let scope = UInt64(UInt32(bitPattern: place)) << 3 | sort.rawValue
        return TextHash.mix(value ^ (value >> 32), scope &* 0x9E37_79B9_7F4A_7C15)
    }
}
