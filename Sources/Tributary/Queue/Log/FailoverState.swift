import TributaryJournal

/// The disk and the memory of a log, and the change between them.
///
/// All records have one order and one numbering: a record in memory has the sequence that it will have on disk. So a
/// reader's place stays right when records move, and no record is read twice.
///
/// `FailoverLog` holds this value behind a lock, at most for one write to the disk. So no write is under way beside a change.
struct FailoverState: Sendable {
    /// Where the next record goes.
    enum Route: Sendable, Equatable {
        /// To the disk.
        case disk
        /// Into memory, because the disk refuses records or there is none.
        case memory
        /// Into memory, after records that the disk accepts again. Each append also moves two of those.
        case returning
        /// Into memory, while another disk replaces this one.
        case exchange
    }

    /// The result of an append.
    struct Appended: Sendable {
        /// What the disk accepted; nil when everything is in memory.
        var write: Journal.Appended?
        /// How many records of a group the disk accepted.
        var written = 0
        /// Older records that were dropped to make room.
        var dropped = 0
        var refusal: Refusal?
    }

    /// A write that the disk refused.
    struct Refusal: Sendable {
        let error: any Error
        /// Whether the disk accepted records until now, so the failure has to be reported.
        let isFirst: Bool
    }

    /// The result of an attempt to move a record to the disk.
    enum Move { case moved, done, failed }

    /// Nil when there is none.
    private(set) var disk: (any RecordLog)?
    private(set) var route: Route
    private(set) var memory: MemoryBuffer
    /// The sequence of the newest removed record of memory, without dropped ones; 0 when there is none.
    private var removed: UInt64 = 0
    /// The error with which the disk refuses; nil while it does not. It stays until the return to the disk was
    /// reported.
    private(set) var failure: (any Error)?
    /// The newest snapshot, while the disk does not have it.
    private var owedSnapshot: [UInt8]?
    /// How often records were dropped or purged, without the records that the present disk counts itself.
    private var withdrawn = 0
    /// The records that the reader has taken, and says itself what becomes of them, and the records that it reads or
    /// sends. A disk knows this of its own records.
    private(set) var claims = ReaderClaims()
    private var isRoomWanted = false
    private var isRetryScheduled = false
    private(set) var isClosed = false

    init(disk: (any RecordLog)?, capacity: Int) {
        self.disk = disk
        memory = MemoryBuffer(capacity: capacity)
        route = disk == nil ? .memory : .disk
    }

    /// Whether the next record goes to memory.
    var isSpilling: Bool { route != .disk }
    /// The newest sequence on disk; 0 without a disk.
    var last: UInt64 { disk?.head.lastSequence ?? 0 }
    /// The sequence of the newest record.
    var end: UInt64 { isSpilling ? max(last, memory.next - 1) : last }
    /// The sequence up to which everything was removed.
    var start: UInt64 { disk?.head.watermark ?? removed }
    /// The newest snapshot.
    var snapshot: [UInt8]? { owedSnapshot ?? disk?.snapshot }
    /// The tag of the newest record that has one, wherever it is.
    var newestTag: JournalTag? { memory.newestTag ?? disk?.head.lastTag }
    /// A counter that grows when records are dropped or purged.
    var withdrawals: Int { withdrawn + (disk?.drops ?? 0) }

    func contains(_ sequence: UInt64) -> Bool { memory.contains(sequence) || disk?.contains(sequence) ?? false }

    // MARK: Appending

    /// Appends a snapshot and a record; either can be missing.
    mutating func append(_ payload: [UInt8]?, _ tag: JournalTag?, snapshot: [UInt8]?) -> Appended {
        var refusal: Refusal?
        if route == .disk, let disk {
            do {
                return Appended(write: try disk.put(payload, tag: tag, snapshot: snapshot))
            } catch {
                refusal = refused(error)
            }
        }
        let dropped = keep(payload, tag, snapshot: snapshot)
        // Moves two records for each appended one. So memory empties even when more is tracked than the storage queue can
        // move.
        if route == .returning { for _ in 0..<2 { moveOne() } }
        return Appended(dropped: dropped, refusal: refusal)
    }

    /// Appends the records of a group. Those that the disk refuses are in memory.
    mutating func append(_ group: JournalGroup) -> Appended {
        var (rest, appended) = (group, Appended())
        if route == .disk, let disk {
            do {
                while !rest.isEmpty { appended.write = try disk.putFirst(of: &rest) }
            } catch {
                appended.refusal = refused(error)
            }
        }
        appended.written = group.count - rest.count
        appended.dropped = keep(&rest, rest.count)
        return appended
    }

    /// Keeps a snapshot and a record in memory.
    /// - Returns: the number of older records that were dropped.
    mutating func keep(_ payload: [UInt8]?, _ tag: JournalTag?, snapshot: [UInt8]?) -> Int {
        owedSnapshot = snapshot ?? owedSnapshot
        return payload.map { keep($0, tag) } ?? 0
    }

    /// Moves the first records of a group into memory.
    mutating func keep(_ group: inout JournalGroup, _ count: Int) -> Int {
        var dropped = 0
        for _ in 0..<count {
            guard let record = group.first else { break }
            dropped += keep(record.payload, record.tag)
            group.removeFirst(1)
        }
        return dropped
    }

    private mutating func keep(_ payload: [UInt8], _ tag: JournalTag?) -> Int {
        guard let dropped = memory.append(payload, tag: tag), dropped > claims.taken else { return 0 }
        withdrawn += 1
        return claims.leave(from: dropped, through: dropped, .dropped)
    }

    /// The disk has refused a write. Appends go to memory from now on.
    mutating func refused(_ error: any Error) -> Refusal {
        defer { failure = error }
        switch route {
        case .disk: spill(to: .memory)
        case .returning: route = .memory
        case .memory, .exchange: break
        }
        return Refusal(error: error, isFirst: failure == nil)
    }

    /// Makes sure that no later record gets a sequence up to this one, wherever it goes.
    mutating func reserve(through sequence: UInt64) -> Refusal? {
        guard sequence > end else { return nil }
        defer { memory.begin(at: sequence + 1) }
        do {
            try disk?.reserve(through: sequence)
            return nil
        } catch {
            return refused(error)
        }
    }

    private mutating func spill(to route: Route) {
        if !isSpilling { memory.begin(at: last + 1) }
        self.route = route
    }

    // MARK: Return to the disk

    /// Moves the oldest record in memory to the disk. When none is left, appends go to the disk again.
    @discardableResult
    mutating func moveOne() -> Move {
        guard let disk, isSpilling, !isClosed else { return .done }
        guard route != .exchange else { return .failed }
        do {
            if last + 1 < memory.first { try disk.reserve(through: memory.first - 1) }
            if let owedSnapshot { try disk.append(nil, tag: nil, snapshot: owedSnapshot) }
            owedSnapshot = nil
            guard let record = memory.oldest else {
                route = .disk
                return .done
            }
            try disk.append(record.payload, tag: record.tag, snapshot: nil)
            memory.removeFirst()
            route = .returning
            return .moved
        } catch {
            failure = error
            if route == .returning { route = .memory }
            return .failed
        }
    }

    /// The return to the disk has ended.
    /// - Returns: whether that has to be reported.
    mutating func recovered() -> Bool {
        guard !isSpilling, failure != nil else { return false }
        failure = nil
        return true
    }

    /// Whether to schedule an attempt to return. A true counts as scheduled.
    mutating func wantsRetry() -> Bool {
        guard !isRetryScheduled, !isClosed else { return false }
        isRetryScheduled = true
        return true
    }

    /// The scheduled attempt begins.
    mutating func retryBegan() { isRetryScheduled = false }

    // MARK: Another disk

    /// Another disk is about to replace this one.
    mutating func beginExchange() { spill(to: .exchange) }

    /// The exchange failed, and the old disk stays.
    mutating func exchangeFailed(_ error: any Error) {
        failure = error
        if route == .exchange { route = .memory }
    }

    /// Uses another disk from now on, which learns what the reader holds and has taken.
    mutating func adopt(_ new: any RecordLog) {
        if let old = disk {
            withdrawn += old.drops
            claims.takeOver(old.takeClaims())
        }
        new.hold(through: claims.held > 0 ? claims.held : nil)
        _ = new.take(through: claims.taken)
        disk = new
        if route == .exchange { route = .memory }
    }

    /// The log is closed. Nothing moves to the disk any more.
    mutating func close() { isClosed = true }

    // MARK: Reading and removing

    /// Records of memory between two places, when all records on disk are read.
    func read(
        after sequence: UInt64, through bound: UInt64, maxBytes: Int, maxCount: Int
    ) -> (records: [JournalRecord], end: UInt64) {
        let records = memory.read(after: sequence, through: bound, maxBytes: maxBytes, maxCount: maxCount)
        return (records, records.last?.sequence ?? max(sequence, min(end, bound)))
    }

    /// Removes the records in memory up to a place.
    mutating func remove(through sequence: UInt64) {
        memory.remove(through: sequence)
        removed = max(removed, min(sequence, memory.next - 1))
    }

    /// Records were purged, and a reader may still have them.
    mutating func withdrew() { withdrawn += 1 }

    /// The reader has taken the records up to a sequence. When it held records that left the log meanwhile, it has their
    /// bytes.
    /// - Returns: the records that are in the log at this moment.
    mutating func take(through sequence: UInt64) -> FailoverLog.Taken {
        claims.take(through: sequence)
        return FailoverLog.Taken(disk: disk?.take(through: sequence), memory: memory.first..<memory.next)
    }

    /// The reader holds the records up to a sequence, 0 for none, and nothing is under way of what it held before.
    /// - Returns: the records that left the memory meanwhile and did not arrive.
    mutating func hold(through sequence: UInt64) -> ReaderClaims.Losses { claims.hold(through: sequence) }

    /// The records in memory that the reader has not taken, or that come after a place.
    func left(after place: UInt64?) -> [JournalRecord] {
        memory.read(after: place ?? claims.taken, maxBytes: .max, maxCount: .max)
    }

    /// Purges memory.
    /// - Returns: the number of deleted records that are not being sent.
    mutating func purge() -> Int {
        let deleted = memory.isEmpty ? 0 : claims.leave(from: memory.first, through: memory.next - 1, .deleted)
        // A reader that is about to send sees the new number before any of its records counts as deleted.
        withdrew()
        remove(through: .max)
        return deleted
    }

    /// Whether memory has enough room in case the disk refuses. After a false, `takeRoom` returns true once there is
    /// room.
    mutating func hasRoom() -> Bool {
        isRoomWanted = isHalfFull
        return !isRoomWanted
    }

    /// Whether there is room that `hasRoom` denied before.
    mutating func takeRoom() -> Bool {
        guard isRoomWanted, !isHalfFull else { return false }
        isRoomWanted = false
        return true
    }

    private var isHalfFull: Bool { memory.count >= Limits.memoryEvents / 2 }
}
