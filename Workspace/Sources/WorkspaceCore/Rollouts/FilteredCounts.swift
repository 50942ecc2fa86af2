/// The effect of filter rules on the events for one destination, on one device.
package struct FilteredCounts: Sendable, Equatable {
    /// Events that came to the rules.
    package private(set) var events: Int
    /// The events that the rules kept back.
    package private(set) var dropped: Int

    /// The most events that one device can add.
    private static let mostEvents = 1_000_000

    /// Takes reported numbers, and reduces impossible ones.
    package init(events: Int, dropped: Int) {
        self.events = min(max(0, events), Self.mostEvents)
        self.dropped = min(max(0, dropped), self.events)
    }

    package mutating func add(_ other: FilteredCounts) {
        self = FilteredCounts(events: events + other.events, dropped: dropped + other.dropped)
    }
}
