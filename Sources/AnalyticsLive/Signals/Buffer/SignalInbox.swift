/// The queue of signals for the executor. When it is full, the oldest signal is dropped.
struct SignalInbox {
    /// A waiting signal, with its internal data.
    struct Entry: Sendable {
        let signal: any RawSignal
        /// How far the event that it was made of is from the app's; 0 for everything else.
        let distance: Int
    }

    private var entries = Ring<Entry>()
    /// Signals that were dropped since the last question.
    private var dropped = 0
    private var next = 0
    /// How many may wait. Less room costs the oldest.
    var capacity: Int {
        didSet { while entries.count > capacity { dropFirst() } }
    }

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { entries.count }

    /// The next place among all signals.
    mutating func takeIndex() -> Int {
        defer { next += 1 }
        return next
    }

    mutating func append(_ entry: Entry) {
        while entries.count >= capacity { dropFirst() }
        entries.append(entry)
    }

    mutating func popFirst() -> Entry? { entries.popFirst() }

    /// Deletes all waiting signals without counting them as dropped.
    mutating func removeAll() {
        entries = Ring()
        dropped = 0
    }

    /// How many were dropped since the last call.
    mutating func takeDropped() -> Int {
        defer { dropped = 0 }
        return dropped
    }

    private mutating func dropFirst() {
        _ = entries.popFirst()
        dropped += 1
    }
}
