/// The events of a destination that are tried again, by whose they are: of each user only the first one is tried.
struct WaitingList: Sendable {
    /// The first event of a lane, in the order in which they are tried.
    private struct Head: Sendable, Comparable {
        let dueAt: Int64
        let sequence: Int64
        let lane: ForwardedEvent.Lane

        init(_ event: Undelivered) { (dueAt, sequence, lane) = (event.dueAt, event.sequence, event.lane) }

        static func < (left: Head, right: Head) -> Bool {
            (left.dueAt, left.sequence) < (right.dueAt, right.sequence)
        }
    }

    private var lanes: [ForwardedEvent.Lane: [Undelivered]] = [:]
    private var lanesOf: [Int64: ForwardedEvent.Lane] = [:]
    /// Sorted, so that the next one is found without a look at all users who wait.
    private var heads: [Head]

    init(_ events: [Undelivered]) {
        for event in events.sorted(by: { $0.sequence < $1.sequence }) {
            lanes[event.lane, default: []].append(event)
            lanesOf[event.sequence] = event.lane
        }
        heads = lanes.values.compactMap { $0.first.map(Head.init) }.sorted()
    }

    var count: Int { lanesOf.count }

    func has(_ lane: ForwardedEvent.Lane) -> Bool { lanes[lane] != nil }

    /// Puts an event in its place among those of its user. One that is there stays as it is.
    mutating func add(_ event: Undelivered) {
        guard lanesOf.updateValue(event.lane, forKey: event.sequence) == nil else { return }
        let place = lanes[event.lane]?.lastIndex { $0.sequence < event.sequence }.map { $0 + 1 } ?? 0
        if place == 0, let old = lanes[event.lane]?.first { removeHead(old) }
        // In place: a user may have thousands of them.
        lanes[event.lane, default: []].insert(event, at: place)
        if place == 0 { insertHead(event) }
    }

    @discardableResult
    mutating func remove(_ sequence: Int64) -> Undelivered? {
        guard let key = lanesOf.removeValue(forKey: sequence), var lane = lanes.removeValue(forKey: key),
            let index = lane.firstIndex(where: { $0.sequence == sequence })
        else { return nil }
        let event = lane.remove(at: index)
        if index == 0 {
            removeHead(event)
            if let next = lane.first { insertHead(next) }
        }
        if !lane.isEmpty { lanes[key] = lane }
        return event
    }

    mutating func change(_ sequence: Int64, _ change: (inout Undelivered) -> Void) {
        guard var event = remove(sequence) else { return }
        change(&event)
        add(event)
    }

    /// The event that is to be tried next, of a lane that is not among those.
    func first(except busy: Set<ForwardedEvent.Lane>) -> Undelivered? {
        heads.first { !busy.contains($0.lane) }.flatMap { lanes[$0.lane]?.first }
    }

    private mutating func insertHead(_ event: Undelivered) {
        let head = Head(event)
        heads.insert(head, at: place(of: head))
    }

    private mutating func removeHead(_ event: Undelivered) { heads.remove(at: place(of: Head(event))) }

    /// Where it stands, or belongs.
    private func place(of head: Head) -> Int {
        var (low, high) = (0, heads.count)
        while low < high {
            let middle = (low + high) / 2
            if heads[middle] < head { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
