/// A log in memory, bounded: when it is full the oldest record is given up and counted.
final class MemoryLog: RecordLog {
    private struct State {
        var records: MemoryBuffer
        var removed: UInt64 = 0
        var snapshot: [UInt8]?
        var mark: [UInt8] = []
        var origin: RecordOrigin?
    }

    /// False when it only stands in for a disk that could not be used.
    let isAttached: Bool
    private let state: LockBox<State>
    private let onDrop: @Sendable (Int) -> Void

    init(capacity: Int, isAttached: Bool = true, onDrop: @escaping @Sendable (Int) -> Void) {
        state = LockBox(State(records: MemoryBuffer(capacity: capacity)))
        self.isAttached = isAttached
        self.onDrop = onDrop
    }

    var isLasting: Bool { false }
    var epoch: UInt64 { 0 }
    var count: Int { state.withLock { $0.records.count } }
    var byteCount: Int { state.withLock { $0.records.byteCount } }
    var lastSequence: UInt64 { state.withLock { $0.records.next - 1 } }
    var removedThrough: UInt64 { state.withLock { $0.removed } }
    var snapshot: [UInt8]? { state.withLock { $0.snapshot } }
    var mark: [UInt8] { state.withLock { $0.mark } }
    var lastOrigin: RecordOrigin? { state.withLock { $0.origin } }

    func append(_ payload: [UInt8], origin: RecordOrigin?, snapshot: [UInt8]?) -> UInt64 {
        let (sequence, dropped) = state.withLock { state in
            if let snapshot { state.snapshot = snapshot }
            if let origin { state.origin = origin }
            let dropped = state.records.append(payload, origin: origin)
            return (state.records.next - 1, dropped)
        }
        if dropped { onDrop(1) }
        return sequence
    }

    func append(snapshot: [UInt8]) { state.withLock { $0.snapshot = snapshot } }

    func reserve(through sequence: UInt64) { state.withLock { $0.records.begin(at: sequence + 1) } }

    func read(after sequence: UInt64, through last: UInt64, maxBytes: Int, maxCount: Int) -> [LogRecord] {
        state.withLock { $0.records.read(after: sequence, through: last, maxBytes: maxBytes, maxCount: maxCount) }
    }

    func contains(_ sequence: UInt64) -> Bool { state.withLock { $0.records.contains(sequence) } }

    func removeThrough(_ sequence: UInt64, mark: [UInt8]?) {
        state.withLock { state in
            if let mark { state.mark = mark }
            state.records.remove(through: sequence)
            state.removed = max(state.removed, min(sequence, state.records.next - 1))
        }
    }
}
