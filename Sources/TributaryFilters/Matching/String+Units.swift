extension String {
    /// The UTF-8 bytes, without a copy except for strings that the system stores in another form.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }

    /// Whether both are equal unit by unit, as with `===`. Swift's `==` also accepts different spellings of a
    /// character.
    func hasSameUnits(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return withBytes { bytes in
            other.withBytes { otherBytes in
                for position in bytes.indices where bytes[position] != otherBytes[position] { return false }
                return true
            }
        }
    }

    /// The length in UTF-16 units, counted without the index that `utf16.count` would allocate.
    var utf16Count: Int {
        withBytes { bytes in
            var count = 0
            for byte in bytes { count += (byte & 0xC0 != 0x80 ? 1 : 0) + (byte >= 0xF0 ? 1 : 0) }
            return count
        }
    }

    /// Whether this text contains the other; linear in both lengths.
    func hasUnits(_ needle: String) -> Bool {
        guard needle.utf8.count <= utf8.count else { return false }
        return withBytes { text in needle.withBytes { ByteSearch.contains($0, in: text) } }
    }
}
