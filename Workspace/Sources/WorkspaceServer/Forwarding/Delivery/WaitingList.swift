import WorkspaceCore

/// The events of a destination that are tried again, by partition: of each partition only the first one is tried.
struct WaitingList: Sendable {
    /// The first event of a partition, in the order in which they are tried.
    private struct Head: Sendable, Comparable {
        let dueAt: Int64
        let sequence: Int64
        let partition: ForwardedEvent.Partition

        init(_ event: Undelivered) { (dueAt, sequence, partition) = (event.dueAt, event.sequence, event.partition) }

        static func < (left: Head, right: Head) -> Bool {
            (left.dueAt, left.sequence) < (right.dueAt, right.sequence)
        }
    }

    private var partitions: [ForwardedEvent.Partition: [Undelivered]] = [:]
    private var partitionsOf: [Int64: ForwardedEvent.Partition] = [:]
    /// Sorted, so that the next one is found without looking at all partitions.
    private var heads: [Head]

    init(_ events: [Undelivered]) {
        for event in events.sorted(by: { $0.sequence < $1.sequence }) {
            partitions[event.partition, default: []].append(event)
            partitionsOf[event.sequence] = event.partition
        }
        heads = partitions.values.compactMap { $0.first.map(Head.init) }.sorted()
    }

    var count: Int { partitionsOf.count }

    func has(_ partition: ForwardedEvent.Partition) -> Bool { partitions[partition] != nil }

    /// Adds an event at its place in its partition. An event that is in the list stays as it is.
    mutating func add(_ event: Undelivered) {
        guard partitionsOf.updateValue(event.partition, forKey: event.sequence) == nil else { return }
        let place = partitions[event.partition]?.lastIndex { $0.sequence < event.sequence }.map { $0 + 1 } ?? 0
        if place == 0, let old = partitions[event.partition]?.first { removeHead(old) }
        // In place, because a partition may have thousands of events.
        partitions[event.partition, default: []].insert(event, at: place)
        if place == 0 { insertHead(event) }
    }

    @discardableResult
    mutating func remove(_ sequence: Int64) -> Undelivered? {
        guard let key = partitionsOf.removeValue(forKey: sequence), var partition = partitions.removeValue(forKey: key),
            let index = partition.firstIndex(where: { $0.sequence == sequence })
        else { return nil }
        let event = partition.remove(at: index)
        if index == 0 {
            removeHead(event)
            if let next = partition.first { insertHead(next) }
        }
        if !partition.isEmpty { partitions[key] = partition }
        return event
    }

    mutating func change(_ sequence: Int64, _ change: (inout Undelivered) -> Void) {
        guard var event = remove(sequence) else { return }
        change(&event)
        add(event)
    }

    /// The event that is to be tried next, from a partition that is not busy.
    func first(except busy: Set<ForwardedEvent.Partition>) -> Undelivered? {
        heads.first { !busy.contains($0.partition) }.flatMap { partitions[$0.partition]?.first }
    }

    private mutating func insertHead(_ event: Undelivered) {
        let head = Head(event)
        heads.insert(head, at: place(of: head))
    }

    private mutating func removeHead(_ event: Undelivered) { heads.remove(at: place(of: Head(event))) }

    /// The position of an event, or the one at which it belongs.
    private func place(of head: Head) -> Int {
        var (low, high) = (0, heads.count)
        while low < high {
            let middle = (low + high) / 2
            if heads[middle] < head { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
