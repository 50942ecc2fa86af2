import TributaryJournal

/// A log in the app's own store.
///
/// A record in the store is a byte that says whether a tag follows, the tag, and the payload.
final class EventStoreLog: RecordLog {
    private struct State {
        var head: JournalHead
        var count: Int
        var bytes: Int
        var snapshot: [UInt8]?
        var claims = ReaderClaims()
        /// Records that purges deleted before the reader had taken them, and that were not reported.
        var deleted = 0
    }

    private let store: any EventStore
    private let list: EventStoreList
    private let state: LockBox<State>

    /// - Parameter makeEpoch: makes the epoch when the list has none yet.
    init(_ store: any EventStore, _ list: EventStoreList, makeEpoch: () -> UInt64) throws {
        self.store = store
        self.list = list
        let epoch: UInt64
        if let known = try store.value(forKey: "\(list.rawValue).epoch"), known.count >= 8 {
            epoch = known.number(at: 0)
        } else {
            epoch = makeEpoch()
            try store.setValue(Array.littleEndian(epoch), forKey: "\(list.rawValue).epoch")
        }
        let summary = try store.summary(of: list)
        let removal = try store.value(forKey: "\(list.rawValue).removed") ?? []
        let removed = removal.count >= 8 ? removal.number(at: 0) : 0
        let head = JournalHead(
            epoch: epoch, lastSequence: max(summary.last?.sequence ?? 0, removed), watermark: removed,
            lastTag: summary.last.flatMap { Self.record($0).tag }, mark: Array(removal.dropFirst(8)), owesPurge: false)
        state = LockBox(
            State(
                head: head, count: summary.count, bytes: summary.bytes,
                snapshot: try store.value(forKey: "\(list.rawValue).snapshot")))
    }

    /// Whether a list has records, or values that show that it had some.
    static func isUsed(_ store: any EventStore, _ list: EventStoreList) throws -> Bool {
        if try store.value(forKey: "\(list.rawValue).epoch") != nil { return true }
        return try store.summary(of: list).count > 0
    }

    var head: JournalHead { state.withLock { $0.head } }
    var count: Int { state.withLock { $0.count } }
    var byteCount: Int { state.withLock { $0.bytes } }
    var snapshot: [UInt8]? { state.withLock { $0.snapshot } }

    func put(_ payload: [UInt8]?, tag: JournalTag?, snapshot: [UInt8]?) throws -> Journal.Appended {
        if let snapshot {
            try store.setValue(snapshot, forKey: "\(list.rawValue).snapshot")
            state.withLock { $0.snapshot = snapshot }
        }
        guard let payload else { return Journal.Appended(sequence: head.lastSequence) }
        let bytes = (tag.map { [1] + $0.bytes } ?? [0]) + payload
        return try state.withLock { state in
            try store.append(EventStoreRecord(sequence: state.head.lastSequence + 1, bytes: bytes), to: list)
            state.head.lastSequence += 1
            state.head.lastTag = tag ?? state.head.lastTag
            state.count += 1
            state.bytes += bytes.count
            return Journal.Appended(sequence: state.head.lastSequence)
        }
    }

    func putFirst(of group: inout JournalGroup) throws -> Journal.Appended {
        let appended = try put(group.first?.payload, tag: group.first?.tag, snapshot: nil)
        group.removeFirst(1)
        return appended
    }

    func reserve(through sequence: UInt64) {
        state.withLock { $0.head.lastSequence = max($0.head.lastSequence, sequence) }
    }

    func read(
        after sequence: UInt64, through last: UInt64, maxBytes: Int, maxCount: Int, from cursor: inout JournalCursor?
    ) throws -> [JournalRecord] {
        // A store may still have purged records that it failed to remove.
        let start = max(sequence, head.watermark)
        return try store.read(list, after: start, maxBytes: maxBytes, maxCount: maxCount)
            .prefix { $0.sequence <= last }.map(Self.record)
    }

    func removeThrough(_ sequence: UInt64, markData mark: [UInt8]?) throws {
        let (end, mark) = state.withLock { state in
            (max(state.head.watermark, min(sequence, state.head.lastSequence)), mark ?? state.head.mark)
        }
        // The mark is stored first: once a record is gone, only the mark shows that it was there.
        try store.setValue(Array.littleEndian(end) + mark, forKey: "\(list.rawValue).removed")
        try store.remove(from: list, through: end)
        let summary = try store.summary(of: list)
        state.withLock { state in
            if end >= state.head.watermark { state.head.owesPurge = false }
            state.head.watermark = max(state.head.watermark, end)
            state.head.mark = mark
            (state.count, state.bytes) = (summary.count, summary.bytes)
        }
    }

    func purge(markData: [UInt8]?) throws {
        let (first, end) = state.withLock { ($0.head.watermark + 1, $0.head.lastSequence) }
        defer { state.withLock { $0.deleted += $0.claims.leave(from: first, through: end, .deleted) } }
        do {
            try removeThrough(end, markData: markData)
        } catch {
            state.withLock { state in
                state.head.watermark = max(state.head.watermark, end)
                state.head.owesPurge = true
                (state.count, state.bytes) = (Int(clamping: state.head.lastSequence - end), 0)
            }
            throw error
        }
    }

    func finishPurge() throws {
        if head.owesPurge { try removeThrough(head.watermark, markData: nil) }
    }

    // MARK: The reader

    func count(after sequence: UInt64) -> Int {
        let head = head
        return Int(clamping: max(head.lastSequence, sequence) - max(head.watermark, sequence))
    }

    func contains(_ sequence: UInt64) -> Bool {
        let head = head
        return sequence > head.watermark && sequence <= head.lastSequence
    }

    func take(through sequence: UInt64) -> ClosedRange<UInt64>? {
        state.withLock { state in
            state.claims.take(through: sequence)
            let head = state.head
            return head.watermark < head.lastSequence ? head.watermark + 1...head.lastSequence : nil
        }
    }

    func hold(through sequence: UInt64?) {
        state.withLock { $0.deleted += $0.claims.hold(through: sequence ?? 0).values.reduce(0, +) }
    }

    func takeDeleted() -> Int {
        state.withLock { state in
            defer { state.deleted = 0 }
            return state.deleted
        }
    }

    func takeClaims() -> ReaderClaims { state.withLock { $0.claims } }

    // MARK: The store does this itself

    var drops: Int { 0 }
    func finish(_ appended: Journal.Appended) {}
    func setBounds(_ bounds: JournalBounds) {}
    func prepare() {}
    func sync() {}
    func verify() {}
    func takeReports() -> [JournalReport] { [] }
    func close() {}

    private static func record(_ stored: EventStoreRecord) -> JournalRecord {
        guard stored.bytes.first == 1, stored.bytes.count > JournalTag.size else {
            return JournalRecord(sequence: stored.sequence, tag: nil, payload: Array(stored.bytes.dropFirst()))
        }
        return JournalRecord(
            sequence: stored.sequence, tag: JournalTag(bytes: Array(stored.bytes[1...JournalTag.size])),
            payload: Array(stored.bytes.dropFirst(1 + JournalTag.size)))
    }
}
