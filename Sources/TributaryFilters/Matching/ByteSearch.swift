/// Looks for bytes in bytes.
enum ByteSearch {
    /// Up to this length a plain search is faster, and its cost for each byte of text is bounded.
    private static let plainLength = 32

    static func contains(_ needle: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = needle.first else { return true }
        guard needle.count <= text.count else { return false }
        return needle.count <= plainLength ? plain(needle, first, text) : knuthMorrisPratt(needle, text)
    }

    private static func plain(
        _ needle: UnsafeBufferPointer<UInt8>, _ first: UInt8, _ text: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        for start in 0...(text.count - needle.count) where text[start] == first {
            var length = 1
            while length < needle.count, text[start + length] == needle[length] { length += 1 }
            if length == needle.count { return true }
        }
        return false
    }

    /// A long needle comes from an event or from hostile settings: a plain search would be quadratic.
    private static func knuthMorrisPratt(
        _ needle: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: needle.count) { borders in
            borders.initialize(repeating: 0)
            for position in 1..<needle.count {
                borders[position] = extend(borders[position - 1], by: needle[position], needle, borders)
            }
            var matched = 0
            for byte in text {
                matched = extend(matched, by: byte, needle, borders)
                if matched == needle.count { return true }
            }
            return false
        }
    }

    /// The length of the longest beginning of the needle that ends with this byte.
    private static func extend(
        _ matched: Int, by byte: UInt8, _ needle: UnsafeBufferPointer<UInt8>, _ borders: UnsafeMutableBufferPointer<Int>
    ) -> Int {
        var matched = matched
        while matched > 0, needle[matched] != byte { matched = borders[matched - 1] }
        return needle[matched] == byte ? matched + 1 : 0
    }
}
