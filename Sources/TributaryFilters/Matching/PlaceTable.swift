import TributaryJSON

/// Finds the place of an event's member in a program, so that one pass over an object finds all places in it.
struct PlaceTable: Sendable {
    /// The places directly below a place.
    struct Below: Sendable {
        /// Positions in `children`.
        var start: Int32 = 0
        var end: Int32 = 0
        /// One bit for each length of a name in bytes; lengths from 63 on share the last bit.
        var lengths: UInt64 = 0

        var count: Int { Int(end - start) }
    }

    private struct Entry: Sendable {
        var hash: UInt64
        /// -1 where the table is empty.
        var place: Int32
    }

    /// For each place, the places below it.
    let below: [Below]
    /// Places, grouped by the place above them.
    let children: [Int32]
    private let places: [FilterProgram.Place]
    /// At most half of it is full; its size is a power of two.
    private let entries: [Entry]

    init(_ places: [FilterProgram.Place]) {
        var groups: [[Int32]] = Array(repeating: [], count: places.count)
        for (position, place) in places.enumerated() where place.parent >= 0 {
            groups[Int(place.parent)].append(Int32(position))
        }
        var below: [Below] = []
        var children: [Int32] = []
        for group in groups {
            let lengths = group.map { Self.lengthBit(places[Int($0)].key.name.utf8.count) }
            below.append(
                Below(
                    start: Int32(children.count), end: Int32(children.count + group.count),
                    lengths: lengths.reduce(0, |)))
            children += group
        }
        self.below = below
        self.children = children
        self.places = places
        entries = Self.entries(of: places)
    }

    private static func entries(of places: [FilterProgram.Place]) -> [Entry] {
        var size = 8
        while size < places.count * 2 { size *= 2 }
        var entries = Array(repeating: Entry(hash: 0, place: -1), count: size)
        for (position, place) in places.enumerated() where place.parent >= 0 {
            let hash = hash(TextHash.hash(place.key.name), below: place.parent)
            var slot = Int(truncatingIfNeeded: hash) & (size - 1)
            while entries[slot].place >= 0 { slot = (slot + 1) & (size - 1) }
            entries[slot] = Entry(hash: hash, place: Int32(position))
        }
        return entries
    }

    /// The bit of that length in `lengths`.
    static func lengthBit(_ count: Int) -> UInt64 { 1 &<< UInt64(min(count, 63)) }

    /// The place of that name below another place.
    func place(of name: String, below parent: Int32) -> Int32? {
        let hash = Self.hash(TextHash.hash(name), below: parent)
        var slot = Int(truncatingIfNeeded: hash) & (entries.count - 1)
        while true {
            let entry = entries[slot]
            if entry.place < 0 { return nil }
            if entry.hash == hash, isPlace(entry.place, name, below: parent) { return entry.place }
            slot = (slot + 1) & (entries.count - 1)
        }
    }

    private func isPlace(_ position: Int32, _ name: String, below parent: Int32) -> Bool {
        places[Int(position)].parent == parent && places[Int(position)].key.name.hasSameUnits(as: name)
    }

    private static func hash(_ name: UInt64, below parent: Int32) -> UInt64 {
        TextHash.mix(name, UInt64(truncatingIfNeeded: parent))
    }
}
