import Tributary

/// Where signals wait for the executor: any thread puts them in, within a lock that nobody holds for longer than that.
///
/// Bounded: when it is full, the oldest signal makes room.
struct SignalInbox {
    /// A signal on its way, with what nobody sees of it.
    struct Entry: Sendable {
        var signal: any RawSignal
        /// How far the event that it was made of is from the app's; 0 for everything else.
        let distance: Int
    }

    private var entries: [Entry?] = []
    private var head = 0
    private(set) var count = 0
    /// Signals that had to make room since somebody asked.
    private(set) var dropped = 0
    private var next = 0
    /// How many may wait. Fewer room costs the oldest.
    var capacity: Int {
        didSet { resize() }
    }

    init(capacity: Int) { self.capacity = capacity }

    /// The next place among all signals.
    mutating func takeIndex() -> Int {
        defer { next += 1 }
        return next
    }

    mutating func append(_ entry: Entry) {
        if count == capacity { dropFirst() }
        if count == entries.count { grow() }
        entries[(head + count) % entries.count] = entry
        count += 1
    }

    mutating func popFirst() -> Entry? {
        guard count > 0, let entry = entries[head] else { return nil }
        entries[head] = nil
        head = (head + 1) % entries.count
        count -= 1
        return entry
    }

    /// How many were dropped since the last call.
    mutating func takeDropped() -> Int {
        defer { dropped = 0 }
        return dropped
    }

    private mutating func dropFirst() {
        _ = popFirst()
        dropped += 1
    }

    /// Doubles the room, so that a small app never pays for a large buffer.
    private mutating func grow() {
        let ordered = (0..<count).map { entries[(head + $0) % entries.count] }
        let room = min(max(16, entries.count * 2), capacity)
        entries = ordered + Array(repeating: nil, count: max(room - count, 1))
        head = 0
    }

    private mutating func resize() {
        while count > capacity { dropFirst() }
        let ordered = (0..<count).map { entries[(head + $0) % entries.count] }
        entries = ordered
        head = 0
    }
}
