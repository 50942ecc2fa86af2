/// What filter rules did on one device with the events of one destination.
struct FilteredCounts: Sendable, Equatable {
    /// Events that came to the rules.
    private(set) var events: Int
    /// Those of them that the rules kept back.
    private(set) var dropped: Int

    /// The most events that one device can add.
    private static let mostEvents = 1_000_000

    /// Takes numbers as they came, and cuts off what cannot be.
    init(events: Int, dropped: Int) {
        self.events = min(max(0, events), Self.mostEvents)
        self.dropped = min(max(0, dropped), self.events)
    }

    mutating func add(_ other: FilteredCounts) {
        self = FilteredCounts(events: events + other.events, dropped: dropped + other.dropped)
    }
}
