/// Work for the time when the inbox has been processed up to a place.
///
/// Changes decide which plugins see the next event. They are made one by one, in the order of the requests. Barriers
/// wait until the events before them have been processed.
struct PlacedWork {
    typealias Action = @Sendable () -> Void

    private var changes = FIFO<(place: UInt64, action: Action)>()
    /// The number of changes that were ever added; below, the number that was taken.
    private var added = 0
    private var taken = 0
    private var barriers: [(place: UInt64, action: Action, whenSwitchedOff: Action?)] = []
    /// The places after which no event may be processed yet, by number.
    private var holds: [Int: UInt64] = [:]
    private var lastHold = 0

    /// The place of the next change, barrier or hold; nil when there is none.
    var next: UInt64? {
        var next = changes.first?.place
        if let hold { next = min(next ?? .max, hold) }
        for barrier in barriers { next = min(next ?? .max, barrier.place) }
        return next
    }

    // MARK: Changes

    /// - Returns: the number of the change.
    mutating func add(change action: @escaping Action, at place: UInt64) -> Int {
        changes.append((place, action))
        added += 1
        return added
    }

    /// The next change, when its place is reached.
    mutating func nextChange(at position: UInt64) -> Action? {
        guard let first = changes.first, position >= first.place else { return nil }
        return popChange()
    }

    /// The next change, when its number is not higher than this one.
    mutating func nextChange(through number: Int) -> Action? { taken < number ? popChange() : nil }

    private mutating func popChange() -> Action? {
        guard let change = changes.popFirst() else { return nil }
        taken += 1
        return change.action
    }

    // MARK: Holds

    /// The first place after which no event may be processed yet; nil when there is none.
    var hold: UInt64? { holds.values.min() }

    /// - Returns: the number of the hold.
    mutating func add(holdAt place: UInt64) -> Int {
        lastHold += 1
        holds[lastHold] = place
        return lastHold
    }

    mutating func remove(hold number: Int) { holds[number] = nil }

    // MARK: Barriers

    /// - Parameter whenSwitchedOff: done in the place of the action while collection is switched off; nil when the action
    ///   waits until it is on again.
    mutating func add(barrier action: @escaping Action, at place: UInt64, whenSwitchedOff: Action? = nil) {
        barriers.append((place, action, whenSwitchedOff))
    }

    /// The barriers at places that are reached.
    mutating func takeBarriers(at position: UInt64) -> [Action] {
        guard !barriers.isEmpty else { return [] }
        let reached = barriers.filter { position >= $0.place }
        guard !reached.isEmpty else { return [] }
        barriers.removeAll { position >= $0.place }
        return reached.map(\.action)
    }

    /// What the barriers do while collection is switched off. Barriers that wait until it is on again stay.
    mutating func takeSwitchedOff() -> [Action] {
        defer { barriers.removeAll { $0.whenSwitchedOff != nil } }
        return barriers.compactMap(\.whenSwitchedOff)
    }

    /// All barriers, because nothing more will be processed.
    mutating func takeAllBarriers() -> [Action] {
        defer { barriers = [] }
        return barriers.map(\.action)
    }
}
