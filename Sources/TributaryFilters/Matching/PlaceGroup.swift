/// The places below one place, ordered so that a member's key finds its place quickly.
///
/// When rules look at many members of an object, going once through its members is cheaper than as many searches.
struct PlaceGroup: Sendable {
    private struct Entry: Sendable {
        let key: FilterValue
        let name: String
        let place: Int32
    }

    /// Below this number of places, separate searches are cheaper.
    private static let threshold = 8

    private let entries: [Entry]
    /// All the places.
    let places: [Int32]
    /// One of them.
    let first: Int32

    /// Nil when there are too few places. A name beyond ASCII is left to a search, which knows its other spellings.
    init?(_ children: [(name: String, place: Int32)]) {
        entries = children.filter { $0.name.utf8.allSatisfy { $0 < 0x80 } }
            .map { Entry(key: FilterValue(text: $0.name), name: $0.name, place: $0.place) }
            .sorted { $0.key.precedes($1.key) }
        places = entries.map(\.place)
        guard let first = places.first, places.count >= Self.threshold else { return nil }
        self.first = first
    }

    var count: Int { places.count }

    /// The place of that name, found by halving.
    func place(of name: String) -> Int32? {
        let key = FilterValue(text: name)
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key.precedes(key) { low = middle + 1 } else { high = middle }
        }
        // Names of more than 16 bytes may look the same.
        while low < entries.count, entries[low].key.seemsSameText(as: key) {
            if key.isCompletelyKnown || entries[low].name.hasSameUnits(as: name) { return entries[low].place }
            low += 1
        }
        return nil
    }
}

extension FilterValue {
    fileprivate func precedes(_ other: FilterValue) -> Bool {
        (count, head, tail) < (other.count, other.head, other.tail)
    }
}
