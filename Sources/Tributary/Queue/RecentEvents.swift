/// A cache of events that were just written to the inbox, so that they need not be read and parsed.
///
/// A reader takes the events after its place from here, and all others from the inbox. A missing event costs only time.
/// So early readers, a full window, and threads that arrive out of order need no special care.
final class RecentEvents: Sendable {
    private struct Item {
        let sequence: UInt64
        let event: InboxRecord
    }

    private struct State {
        /// Each event is at its sequence modulo the number of slots. Made at first use.
        var slots: [Item?] = []
        /// The first sequence of the window; nil while it is empty.
        var first: UInt64?
        /// The reader is past this sequence. Events up to it that arrive late are not kept.
        var read: UInt64 = 0
        var count = 0
        var bytes = 0
        var isOpen = false
        var taken = 0
    }

    private let state = LockBox(State())
    private let capacity: Int
    private let byteCapacity: Int

    init(capacity: Int = Limits.recentEvents, bytes: Int = Limits.recentEventBytes) {
        self.capacity = max(1, capacity)
        byteCapacity = bytes
    }

    /// The number of events that were taken so far.
    var taken: Int { state.withLock { $0.taken } }

    /// Adds an event that is in the log with that sequence. Without room, the window closes until its reader has
    /// emptied it: later events would only wait behind the missing one.
    func put(_ event: InboxRecord, at sequence: UInt64) {
        state.withLock { state in
            guard state.isOpen else { return }
            let first = state.first ?? sequence
            guard sequence >= first, sequence > state.read else { return }
            guard sequence - first < UInt64(capacity), state.bytes + event.encoded.count <= byteCapacity else {
                state.isOpen = false
                return
            }
            if state.slots.isEmpty { state.slots = Array(repeating: nil, count: capacity) }
            state.first = first
            state.slots[slot(sequence)] = Item(sequence: sequence, event: event)
            state.count += 1
            state.bytes += event.encoded.count
        }
    }

    /// Takes events that follow a sequence without a gap: as many as fit, but at least one if there is one.
    func take(after sequence: UInt64, maxBytes: Int, maxCount: Int) -> [QueuedEvent] {
        state.withLock { state in
            guard state.count > 0 else { return [] }
            var events: [QueuedEvent] = []
            var bytes = 0
            var next = sequence + 1
            while events.count < maxCount, let item = state.slots[slot(next)], item.sequence == next {
                guard events.isEmpty || bytes + item.event.encoded.count <= maxBytes else { break }
                clear(slot(next), &state)
                bytes += item.event.encoded.count
                events.append(QueuedEvent(sequence: next, payload: item.event.encoded, parsed: item.event))
                next += 1
            }
            if let last = events.last {
                state.taken += events.count
                state.read = max(state.read, last.sequence)
                advance(past: last.sequence, &state)
            }
            return events
        }
    }

    /// Drops all events up to a sequence, because they were read from the log. An empty window opens again.
    func passed(_ sequence: UInt64) {
        state.withLock { state in
            state.read = max(state.read, sequence)
            if let first = state.first, state.count > 0, sequence >= first {
                let last = min(sequence, first + UInt64(capacity) - 1)
                for gone in first...last where state.slots[slot(gone)]?.sequence == gone { clear(slot(gone), &state) }
                advance(past: sequence, &state)
            }
            guard state.count == 0 else { return }
            state.first = nil
            state.isOpen = true
        }
    }

    private func advance(past sequence: UInt64, _ state: inout State) {
        guard let first = state.first, first <= sequence else { return }
        state.first = sequence + 1
    }

    private func clear(_ slot: Int, _ state: inout State) {
        guard let item = state.slots[slot] else { return }
        state.slots[slot] = nil
        state.count -= 1
        state.bytes -= item.event.encoded.count
    }

    private func slot(_ sequence: UInt64) -> Int { Int(sequence % UInt64(capacity)) }
}
