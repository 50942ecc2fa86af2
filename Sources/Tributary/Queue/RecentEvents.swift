/// A cache of events that were just written to the inbox, so that they need not be read and parsed.
///
/// A reader takes the events after its place from here, and all others from the inbox. A missing event costs only time.
///
/// Callers of `put` and the reader meet at a lock that is only held for a few steps: the reader takes over all new events as
/// a whole. A caller of `track` would otherwise wait for the reader of a long list.
final class RecentEvents: Sendable {
    private struct Item {
        let sequence: UInt64
        let event: InboxRecord
    }

    /// The state that callers and the reader share.
    private struct Arrivals {
        /// Events that the reader has not taken over, in order.
        var items: [Item] = []
        /// The number and the bytes of all kept events, with those that the reader has taken over.
        var count = 0
        var bytes = 0
        var isOpen = false
    }

    /// The state that only the reader uses.
    private struct Window {
        var items = FIFO<Item>()
        var taken = 0
        /// Keeps its room, so that callers need none.
        var spare: [Item] = []
    }

    private let arrivals = LockBox(Arrivals())
    private let window = LockBox(Window())
    private let capacity: Int
    private let byteCapacity: Int

    init(capacity: Int = Limits.recentEvents, bytes: Int = Limits.recentEventBytes) {
        self.capacity = capacity
        byteCapacity = bytes
    }

    /// The number of events that were taken so far.
    var taken: Int { window.withLock { $0.taken } }

    /// Adds an event that is in the log with that sequence. Calls come in the order of sequences. Without room, no event is
    /// added until the reader has taken all: later events would only wait behind the missing one.
    func put(_ event: InboxRecord, at sequence: UInt64) {
        arrivals.withLock { arrivals in
            guard arrivals.isOpen else { return }
            let bytes = arrivals.bytes + event.encoded.count
            guard arrivals.count < capacity, bytes <= byteCapacity else {
                arrivals.isOpen = false
                return
            }
            arrivals.count += 1
            arrivals.bytes = bytes
            arrivals.items.append(Item(sequence: sequence, event: event))
        }
    }

    /// Takes events that follow a sequence without a gap: as many as fit, but at least one if there is one.
    func take(after sequence: UInt64, maxBytes: Int, maxCount: Int) -> [QueuedEvent] {
        window.withLock { window in
            pass(sequence, &window)
            var events: [QueuedEvent] = []
            events.reserveCapacity(min(window.items.count, maxCount))
            var bytes = 0
            while events.count < maxCount, let item = window.items.first,
                item.sequence == sequence + UInt64(events.count) + 1,
                events.isEmpty || bytes + item.event.encoded.count <= maxBytes
            {
                _ = window.items.popFirst()
                bytes += item.event.encoded.count
                events.append(
                    QueuedEvent(sequence: item.sequence, payload: item.event.encoded, parsed: item.event))
            }
            window.taken += events.count
            if !events.isEmpty { removed(events.count, bytes) }
            return events
        }
    }

    /// Drops all events up to a sequence, because they were read from the log. An empty cache accepts events again.
    func passed(_ sequence: UInt64) {
        window.withLock { window in
            pass(sequence, &window)
            arrivals.withLock { if $0.count == 0 { $0.isOpen = true } }
        }
    }

    private func pass(_ sequence: UInt64, _ window: inout Window) {
        arrivals.withLock { swap(&$0.items, &window.spare) }
        for item in window.spare { window.items.append(item) }
        window.spare.removeAll(keepingCapacity: true)
        var (count, bytes) = (0, 0)
        while let item = window.items.first, item.sequence <= sequence {
            _ = window.items.popFirst()
            count += 1
            bytes += item.event.encoded.count
        }
        removed(count, bytes)
    }

    private func removed(_ count: Int, _ bytes: Int) {
        arrivals.withLock { arrivals in
            arrivals.count -= count
            arrivals.bytes -= bytes
        }
    }
}
