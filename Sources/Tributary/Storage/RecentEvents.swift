/// Keeps newly stored events in memory, so that the pipeline need not read them back from the log and parse them.
///
/// A log that stores an event puts it here too, under its sequence. The pipeline takes the events that follow the last
/// one that it has read. It reads an event that is not here from the log. A missing event therefore costs time and
/// nothing else, and no reader that is early, no full window and no late thread needs special care.
final class RecentEvents: Sendable {
    private struct Item {
        let sequence: UInt64
        let payload: [UInt8]
        let event: InboxRecord
    }

    private struct State {
        /// Each event at its sequence modulo the number of slots; made when first needed.
        var slots: [Item?] = []
        /// The first sequence of the window; nil while nothing has come since it was opened.
        var first: UInt64?
        /// The reader is behind this one; whatever comes late for it is not kept.
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

    /// Events that were taken so far.
    var taken: Int { state.withLock { $0.taken } }

    /// Puts an event that is in the log under that sequence. When there is no room, the window is closed until its
    /// reader has emptied it: what comes later would only wait behind what is missing.
    func put(_ event: InboxRecord, _ payload: [UInt8], at sequence: UInt64) {
        state.withLock { state in
            guard state.isOpen else { return }
            let first = state.first ?? sequence
            guard sequence >= first, sequence > state.read else { return }
            guard sequence - first < UInt64(capacity), state.bytes + payload.count <= byteCapacity else {
                state.isOpen = false
                return
            }
            if state.slots.isEmpty { state.slots = Array(repeating: nil, count: capacity) }
            state.first = first
            state.slots[slot(sequence)] = Item(sequence: sequence, payload: payload, event: event)
            state.count += 1
            state.bytes += payload.count
        }
    }

    /// Takes events that follow on that sequence without a gap: at least one when there is one, else as many as fit.
    func take(after sequence: UInt64, through last: UInt64 = .max, maxBytes: Int, maxCount: Int) -> [LogRecord] {
        state.withLock { state in
            guard state.count > 0 else { return [] }
            var records: [LogRecord] = []
            var bytes = 0
            var next = sequence + 1
            while records.count < maxCount, next <= last, let item = state.slots[slot(next)], item.sequence == next {
                guard records.isEmpty || bytes + item.payload.count <= maxBytes else { break }
                clear(slot(next), &state)
                bytes += item.payload.count
                records.append(
                    LogRecord(sequence: next, payload: item.payload, origin: nil, parsed: item.event))
                next += 1
            }
            if let last = records.last {
                state.taken += records.count
                state.read = max(state.read, last.sequence)
                advance(past: last.sequence, &state)
            }
            return records
        }
    }

    /// Gives up everything up to that sequence, because it was read from the log; opens the window when it is empty.
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
        state.bytes -= item.payload.count
    }

    private func slot(_ sequence: UInt64) -> Int { Int(sequence % UInt64(capacity)) }
}
