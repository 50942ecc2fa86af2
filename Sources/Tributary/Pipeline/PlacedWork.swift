/// Work that is done when the inbox has been processed up to a place.
///
/// Changes decide which plugins see the next event. They are made one by one, in the order in which they were asked for.
/// Barriers wait until the events before them have been processed.
struct PlacedWork {
    typealias Action = @Sendable () -> Void

    private var changes = FIFO<(place: UInt64, action: Action)>()
    /// How many changes were ever added, and how many of them were taken.
    private var added = 0
    private var taken = 0
    private var barriers: [(place: UInt64, action: Action)] = []

    /// Whether the place of the next change or of a barrier has been reached.
    func hasWork(at position: UInt64) -> Bool {
        changes.first.map { position >= $0.place } ?? false || barriers.contains { position >= $0.place }
    }

    // MARK: Changes

    /// - Returns: the number of the change.
    mutating func add(change action: @escaping Action, at place: UInt64) -> Int {
        changes.append((place, action))
        added += 1
        return added
    }

    /// The next change, when its place has been reached.
    mutating func nextChange(at position: UInt64) -> Action? {
        guard let first = changes.first, position >= first.place else { return nil }
        return popChange()
    }

    /// The next change, when it is the one with that number or comes before it.
    mutating func nextChange(through number: Int) -> Action? { taken < number ? popChange() : nil }

    private mutating func popChange() -> Action? {
        guard let change = changes.popFirst() else { return nil }
        taken += 1
        return change.action
    }

    // MARK: Barriers

    mutating func add(barrier action: @escaping Action, at place: UInt64) { barriers.append((place, action)) }

    /// The barriers whose place has been reached.
    mutating func takeBarriers(at position: UInt64) -> [Action] {
        guard !barriers.isEmpty else { return [] }
        let reached = barriers.filter { position >= $0.place }
        guard !reached.isEmpty else { return [] }
        barriers.removeAll { position >= $0.place }
        return reached.map(\.action)
    }

    /// All barriers, because nothing is processed any more.
    mutating func takeAllBarriers() -> [Action] {
        defer { barriers = [] }
        return barriers.map(\.action)
    }
}
