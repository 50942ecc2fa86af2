/// The conditions for each key.
struct TriggerTable: Sendable {
    private struct Entry: Sendable {
        var key: UInt64 = 0
        /// Positions in `lists`; both are equal when the entry is empty.
        var start: Int32 = 0
        var end: Int32 = 0
    }

    /// Bits for each slot: enough to find out with one of them that most absent keys are absent.
    private static let bitsPerSlot = 16

    let lists: [Int32]
    /// At most half of it is full; its size is a power of two.
    private let entries: [Entry]
    private let filter: [UInt64]

    init(_ conditions: [UInt64: [Int32]]) {
        var size = 4
        while size < conditions.count * 2 { size *= 2 }
        var lists: [Int32] = []
        var entries = Array(repeating: Entry(), count: size)
        var filter: [UInt64] = Array(repeating: 0, count: size * Self.bitsPerSlot / 64)
        for (key, list) in conditions {
            var slot = Int(truncatingIfNeeded: key) & (size - 1)
            while entries[slot].start < entries[slot].end { slot = (slot + 1) & (size - 1) }
            entries[slot] = Entry(key: key, start: Int32(lists.count), end: Int32(lists.count + list.count))
            lists += list
            filter[Self.word(of: key, in: filter.count)] |= Self.bit(of: key)
        }
        self.lists = lists
        self.entries = entries
        self.filter = filter
    }

    /// False when no condition has this key.
    func mayHave(_ key: UInt64) -> Bool { filter[Self.word(of: key, in: filter.count)] & Self.bit(of: key) != 0 }

    /// The positions in `lists` for a key.
    func conditions(of key: UInt64) -> Range<Int> {
        var slot = Int(truncatingIfNeeded: key) & (entries.count - 1)
        while true {
            let entry = entries[slot]
            if entry.start == entry.end { return 0..<0 }
            if entry.key == key { return Int(entry.start)..<Int(entry.end) }
            slot = (slot + 1) & (entries.count - 1)
        }
    }

    private static func word(of key: UInt64, in count: Int) -> Int { Int(truncatingIfNeeded: key >> 6) & (count - 1) }

    private static func bit(of key: UInt64) -> UInt64 { 1 &<< (key & 63) }
}
