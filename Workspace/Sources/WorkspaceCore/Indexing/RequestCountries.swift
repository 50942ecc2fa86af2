/// The countries of the events of one request. The server looks them up when the request arrives and stores them with
/// it, so that indexing the request again gives the same events, also with another database.
package struct RequestCountries: Sendable, Equatable {
    /// One for each item, or a single one for all items; nil for an item without a country.
    private let codes: [CountryCode?]

    /// - Returns: nil when no item has a country.
    package init?(_ codes: [CountryCode?]) {
        guard let first = codes.first, codes.contains(where: { $0 != nil }) else { return nil }
        self.codes = codes.allSatisfy { $0 == first } ? [first] : codes
    }

    /// The country of the item at a place in the request.
    package subscript(index: Int) -> CountryCode? {
        if codes.count == 1 { return codes[0] }
        return codes.indices.contains(index) ? codes[index] : nil
    }

    /// The countries of some of the items, which become a request of their own.
    package func of(_ items: [Int]) -> RequestCountries? { RequestCountries(items.map { self[$0] }) }

    // MARK: In a record

    private static let bytesOfCode = 2

    /// The most bytes that the countries of a request take in its record.
    package static let mostBytes = 2 + Limits.eventsInBatch * bytesOfCode

    /// The number of codes as a 16-bit little-endian number, then each code with two bytes, zeros for none.
    package var encoded: [UInt8] {
        let count = UInt16(clamping: codes.count)
        return [UInt8(truncatingIfNeeded: count), UInt8(count >> 8)]
            + codes.prefix(Int(count)).flatMap { $0?.bytes ?? [0, 0] }
    }

    /// Takes countries from the beginning of what is left of a record.
    init?(_ rest: inout ArraySlice<UInt8>) {
        guard let low = rest.popFirst(), let high = rest.popFirst() else { return nil }
        let count = Int(high) << 8 | Int(low)
        guard count > 0, rest.count >= count * Self.bytesOfCode else { return nil }
        let start = rest.startIndex
        let codes = (0..<count).map { index in
            let place = start + index * Self.bytesOfCode
            return CountryCode(rest[place..<place + Self.bytesOfCode])
        }
        rest = rest.dropFirst(count * Self.bytesOfCode)
        self.init(codes)
    }
}
