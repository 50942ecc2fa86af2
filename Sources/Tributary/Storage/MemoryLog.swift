/// A log in memory, bounded: when it is full the oldest record is given up and counted.
final class MemoryLog: RecordLog {
    private struct State {
        var records: [LogRecord] = []
        /// Records before this index are removed; the array is cut when half of it is.
        var head = 0
        var last: UInt64 = 0
        var removed: UInt64 = 0
        var snapshot: [UInt8]?
        var mark: [UInt8] = []
        var origin: RecordOrigin?
    }

    private let state = LockBox(State())
    private let capacity: Int
    private let onDrop: @Sendable (Int) -> Void

    init(capacity: Int, onDrop: @escaping @Sendable (Int) -> Void) {
        self.capacity = max(1, capacity)
        self.onDrop = onDrop
    }

    var epoch: UInt64 { 0 }
    var count: Int { state.withLock { $0.records.count - $0.head } }
    var lastSequence: UInt64 { state.withLock { $0.last } }
    var removedThrough: UInt64 { state.withLock { $0.removed } }
    var snapshot: [UInt8]? { state.withLock { $0.snapshot } }
    var mark: [UInt8] { state.withLock { $0.mark } }
    var lastOrigin: RecordOrigin? { state.withLock { $0.origin } }

    func append(_ payload: [UInt8], origin: RecordOrigin?, snapshot: [UInt8]?) -> UInt64 {
        let (sequence, dropped) = state.withLock { state in
            if let snapshot { state.snapshot = snapshot }
            if let origin { state.origin = origin }
            state.last += 1
            state.records.append(LogRecord(sequence: state.last, payload: payload, origin: origin))
            let isFull = state.records.count - state.head > capacity
            if isFull { Self.remove(through: state.records[state.head].sequence, from: &state) }
            return (state.last, isFull)
        }
        if dropped { onDrop(1) }
        return sequence
    }

    func append(snapshot: [UInt8]) { state.withLock { $0.snapshot = snapshot } }

    func read(after sequence: UInt64, maxBytes: Int, maxCount: Int) -> [LogRecord] {
        state.withLock { state in
            var bytes = 0
            var result: [LogRecord] = []
            for record in state.records[state.head...] where record.sequence > sequence {
                guard result.isEmpty || bytes + record.payload.count <= maxBytes, result.count < maxCount else { break }
                bytes += record.payload.count
                result.append(record)
            }
            return result
        }
    }

    func reserve(through sequence: UInt64) { state.withLock { $0.last = max($0.last, sequence) } }

    func removeThrough(_ sequence: UInt64, mark: [UInt8]?) {
        state.withLock { state in
            if let mark { state.mark = mark }
            Self.remove(through: sequence, from: &state)
        }
    }

    private static func remove(through sequence: UInt64, from state: inout State) {
        while state.head < state.records.count, state.records[state.head].sequence <= sequence { state.head += 1 }
        state.removed = max(state.removed, sequence)
        if state.head > state.records.count / 2 {
            state.records.removeFirst(state.head)
            state.head = 0
        }
    }

    func prepare() {}
    func close() {}
}
