/// A country as two capital letters of ISO 3166, such as `DE`.
package struct CountryCode: Sendable, Hashable, CustomStringConvertible {
    private let first: UInt8
    private let second: UInt8

    /// The letters of the code.
    package var bytes: [UInt8] { [first, second] }

    package var description: String { String(decoding: bytes, as: UTF8.self) }

    /// Nil when the bytes are not two letters. Small letters become capital ones.
    package init?(_ bytes: some Collection<UInt8>) {
        let letters = bytes.prefix(3).map { (0x61...0x7A as ClosedRange<UInt8>).contains($0) ? $0 - 0x20 : $0 }
        guard letters.count == 2, letters.allSatisfy({ (0x41...0x5A as ClosedRange<UInt8>).contains($0) }) else {
            return nil
        }
        (first, second) = (letters[0], letters[1])
    }
}
