/// A set of conditions, one bit for each, in memory that belongs to a call.
struct Candidates {
    let words: UnsafeMutableBufferPointer<UInt64>

    func insert(_ condition: Int32) { words[Int(condition >> 6)] |= 1 &<< UInt64(condition & 63) }

    /// The first one at or behind that position.
    func first(from position: Int) -> Int? {
        var word = position >> 6
        guard word < words.count else { return nil }
        var bits = words[word] & (UInt64.max &<< UInt64(position & 63))
        while bits == 0 {
            word += 1
            guard word < words.count else { return nil }
            bits = words[word]
        }
        return word << 6 + bits.trailingZeroBitCount
    }
}
