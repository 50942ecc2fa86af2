/// A log in the app's own store.
///
/// A record there is a byte that says whether an origin follows, the origin, and the payload.
final class StoreLog: RecordLog {
    private struct State {
        var last: UInt64
        var removed: UInt64
        var count: Int
        var bytes: Int
        var snapshot: [UInt8]?
        var mark: [UInt8]
        var origin: RecordOrigin?
        /// The store does not know yet that everything up to `removed` was given up.
        var owesPurge = false
    }

    private static let originBytes = 24

    let epoch: UInt64
    private let store: any EventStore
    private let list: EventStoreList
    private let state: LockBox<State>

    /// - Parameter makeEpoch: makes the number of this life of the list, when it has none yet.
    init(_ store: any EventStore, _ list: EventStoreList, makeEpoch: () -> UInt64) throws {
        self.store = store
        self.list = list
        if let known = try store.value(forKey: "\(list.rawValue).epoch").flatMap(Self.number) {
            epoch = known
        } else {
            epoch = makeEpoch()
            try store.setValue(Self.bytes(epoch), forKey: "\(list.rawValue).epoch")
        }
        let summary = try store.summary(of: list)
        let removal = try store.value(forKey: "\(list.rawValue).removed") ?? []
        let removed = Self.number(removal) ?? 0
        state = LockBox(
            State(
                last: max(summary.last?.sequence ?? 0, removed), removed: removed, count: summary.count,
                bytes: summary.bytes, snapshot: try store.value(forKey: "\(list.rawValue).snapshot"),
                mark: Array(removal.dropFirst(8)),
                origin: summary.last.flatMap { Self.record($0).origin }))
    }

    /// Whether a list holds records, or the values of one that did.
    static func isUsed(_ store: any EventStore, _ list: EventStoreList) throws -> Bool {
        if try store.value(forKey: "\(list.rawValue).epoch") != nil { return true }
        return try store.summary(of: list).count > 0
    }

    var isLasting: Bool { true }
    var count: Int { state.withLock { $0.count } }
    var byteCount: Int { state.withLock { $0.bytes } }
    var lastSequence: UInt64 { state.withLock { $0.last } }
    var removedThrough: UInt64 { state.withLock { $0.removed } }
    var snapshot: [UInt8]? { state.withLock { $0.snapshot } }
    var mark: [UInt8] { state.withLock { $0.mark } }
    var lastOrigin: RecordOrigin? { state.withLock { $0.origin } }

    func append(_ payload: [UInt8], origin: RecordOrigin?, snapshot: [UInt8]?) throws -> UInt64 {
        if let snapshot { try append(snapshot: snapshot) }
        let bytes = (origin.map { [1] + $0.bytes } ?? [0]) + payload
        return try state.withLock { state in
            try store.append(EventStoreRecord(sequence: state.last + 1, bytes: bytes), to: list)
            state.last += 1
            state.count += 1
            state.bytes += bytes.count
            state.origin = origin ?? state.origin
            return state.last
        }
    }

    func append(snapshot: [UInt8]) throws {
        try store.setValue(snapshot, forKey: "\(list.rawValue).snapshot")
        state.withLock { $0.snapshot = snapshot }
    }

    func reserve(through sequence: UInt64) { state.withLock { $0.last = max($0.last, sequence) } }

    func read(after sequence: UInt64, through last: UInt64, maxBytes: Int, maxCount: Int) throws -> [LogRecord] {
        // A store may not be done with the removal of what was given up.
        let start = max(sequence, removedThrough)
        return try store.read(list, after: start, maxBytes: maxBytes, maxCount: maxCount)
            .prefix { $0.sequence <= last }.map(Self.record)
    }

    func removeThrough(_ sequence: UInt64, mark: [UInt8]?) throws {
        let (end, kept) = state.withLock { (max($0.removed, min(sequence, $0.last)), mark ?? $0.mark) }
        // The mark first: once a record is gone, only the mark knows that it was there.
        try store.setValue(Self.bytes(end) + kept, forKey: "\(list.rawValue).removed")
        try store.remove(from: list, through: end)
        let summary = try store.summary(of: list)
        state.withLock { state in
            if end >= state.removed { state.owesPurge = false }
            state.removed = max(state.removed, end)
            state.mark = kept
            (state.count, state.bytes) = (summary.count, summary.bytes)
        }
    }

    func purge() throws {
        let end = lastSequence
        do {
            try removeThrough(end, mark: nil)
        } catch {
            state.withLock { state in
                state.removed = max(state.removed, end)
                state.owesPurge = true
                (state.count, state.bytes) = (Int(clamping: state.last - min(state.last, end)), 0)
            }
            throw error
        }
    }

    var owesPurge: Bool { state.withLock { $0.owesPurge } }

    func finishPurge() throws {
        guard owesPurge else { return }
        try removeThrough(removedThrough, mark: nil)
    }

    private static func record(_ stored: EventStoreRecord) -> LogRecord {
        guard stored.bytes.first == 1, stored.bytes.count > originBytes else {
            return LogRecord(sequence: stored.sequence, payload: Array(stored.bytes.dropFirst()), origin: nil)
        }
        return LogRecord(
            sequence: stored.sequence, payload: Array(stored.bytes.dropFirst(1 + originBytes)),
            origin: RecordOrigin(bytes: Array(stored.bytes[1...originBytes])))
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    private static func number(_ bytes: [UInt8]) -> UInt64? {
        guard bytes.count >= 8 else { return nil }
        return (0..<8).reduce(0) { $0 | UInt64(bytes[$1]) << (8 * UInt64($1)) }
    }
}
