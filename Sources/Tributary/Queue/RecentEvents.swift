/// A cache of events that were just written to the inbox, so that they need not be read and parsed.
///
/// A reader takes the events after its place from here, and all others from the inbox. A missing event costs only time.
/// So early readers, a full window, and threads that arrive out of order need no special care.
///
/// Callers of `put` and the reader meet at a lock that is only held for a few steps: the reader takes over all new events as
/// a whole, and puts them in order by itself. A caller of `track` would otherwise wait for the reader of a long list.
final class RecentEvents: Sendable {
    private struct Item {
        let sequence: UInt64
        let event: InboxRecord
    }

    /// The state that callers and the reader share.
    private struct Arrivals {
        /// Events that the reader has not taken over.
        var items: [Item] = []
        /// The first sequence of the window; nil while it is empty.
        var first: UInt64?
        /// The reader is past this sequence. Events up to it that arrive late are not kept.
        var read: UInt64 = 0
        /// The size of all kept events, and of late ones until the window is empty.
        var bytes = 0
        var isOpen = false

        /// The reader is past a sequence, and events of so many bytes are no longer kept.
        mutating func pass(_ sequence: UInt64, gone: Int) {
            read = max(read, sequence)
            bytes -= gone
            if let first, first <= sequence { self.first = sequence + 1 }
        }
    }

    /// The state that only the reader uses.
    private struct Window {
        /// Each event is at its sequence modulo the number of slots. Made at first use.
        var slots: [Item?] = []
        var count = 0
        var taken = 0
        /// Keeps its room, so that callers need none.
        var spare: [Item] = []
    }

    private let arrivals = LockBox(Arrivals())
    private let window = LockBox(Window())
    private let capacity: Int
    private let byteCapacity: Int

    init(capacity: Int = Limits.recentEvents, bytes: Int = Limits.recentEventBytes) {
        self.capacity = max(1, capacity)
        byteCapacity = bytes
    }

    /// The number of events that were taken so far.
    var taken: Int { window.withLock { $0.taken } }

    /// Adds an event that is in the log with that sequence. Without room, the window closes until its reader has
    /// emptied it: later events would only wait behind the missing one.
    func put(_ event: InboxRecord, at sequence: UInt64) {
        arrivals.withLock { arrivals in
            guard arrivals.isOpen else { return }
            let first = arrivals.first ?? sequence
            guard sequence >= first, sequence > arrivals.read else { return }
            let size = event.encoded.count
            guard sequence - first < UInt64(capacity), arrivals.bytes + size <= byteCapacity else {
                arrivals.isOpen = false
                return
            }
            arrivals.first = first
            arrivals.bytes += size
            arrivals.items.append(Item(sequence: sequence, event: event))
        }
    }

    /// Takes events that follow a sequence without a gap: as many as fit, but at least one if there is one.
    func take(after sequence: UInt64, maxBytes: Int, maxCount: Int) -> [QueuedEvent] {
        window.withLock { window in
            takeOver(&window)
            guard window.count > 0 else { return [] }
            var events: [QueuedEvent] = []
            events.reserveCapacity(min(window.count, maxCount))
            var bytes = 0
            var next = sequence + 1
            while events.count < maxCount, let item = window.slots[slot(next)], item.sequence == next {
                guard events.isEmpty || bytes + item.event.encoded.count <= maxBytes else { break }
                clear(slot(next), &window)
                bytes += item.event.encoded.count
                events.append(QueuedEvent(sequence: next, payload: item.event.encoded, parsed: item.event))
                next += 1
            }
            guard let last = events.last else { return events }
            window.taken += events.count
            arrivals.withLock { $0.pass(last.sequence, gone: bytes) }
            return events
        }
    }

    /// Drops all events up to a sequence, because they were read from the log. An empty window opens again.
    func passed(_ sequence: UInt64) {
        window.withLock { window in
            takeOver(&window)
            var gone = 0
            if window.count > 0, let first = arrivals.withLock({ $0.first }), sequence >= first {
                let last = min(sequence, first + UInt64(capacity) - 1)
                for number in first...last where window.slots[slot(number)]?.sequence == number {
                    gone += clear(slot(number), &window)
                }
            }
            arrivals.withLock { arrivals in
                arrivals.pass(sequence, gone: gone)
                guard window.count == 0, arrivals.items.isEmpty else { return }
                arrivals.first = nil
                // Events that arrived late were dropped and are counted until here.
                arrivals.bytes = 0
                arrivals.isOpen = true
            }
        }
    }

    /// Puts the new events into their slots. An event that arrived after the reader had passed it is dropped.
    private func takeOver(_ window: inout Window) {
        let read = arrivals.withLock { arrivals in
            swap(&arrivals.items, &window.spare)
            return arrivals.read
        }
        guard !window.spare.isEmpty else { return }
        if window.slots.isEmpty { window.slots = Array(repeating: nil, count: capacity) }
        for item in window.spare where item.sequence > read {
            window.slots[slot(item.sequence)] = item
            window.count += 1
        }
        window.spare.removeAll(keepingCapacity: true)
    }

    @discardableResult private func clear(_ slot: Int, _ window: inout Window) -> Int {
        guard let item = window.slots[slot] else { return 0 }
        window.slots[slot] = nil
        window.count -= 1
        return item.event.encoded.count
    }

    private func slot(_ sequence: UInt64) -> Int { Int(sequence % UInt64(capacity)) }
}
