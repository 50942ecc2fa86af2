import TributaryJSON

/// `location` of a context, as far as a country can be added to it. What the sender wrote stays as it is.
package enum LocationText: Sendable {
    /// It names a country, or is no object.
    case complete
    /// An object without a country; its text without the last brace.
    case open([UInt8])

    /// No location yet.
    static let missing = LocationText.open([UInt8(ascii: "{")])

    /// - Parameter value: where it stands in a valid text.
    init(_ value: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes[value.lowerBound] == UInt8(ascii: "{"),
            !ScannedMember.all(of: value, in: bytes).contains(where: { $0.key.isName("country", in: bytes) })
        else {
            self = .complete
            return
        }
        self = .open(CompactText.of(UnsafeBufferPointer(rebasing: bytes[value])).dropLast())
    }

    /// The text with a country; nil when it stays as it is.
    func adding(_ country: CountryCode) -> [UInt8]? {
        guard case .open(let text) = self else { return nil }
        let comma = text.count > 1 ? [UInt8(ascii: ",")] : []
        return text + comma + Array(#""country":""#.utf8) + country.bytes + Array(#""}"#.utf8)
    }
}
