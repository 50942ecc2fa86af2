import TributaryJournal

/// Decides whether a record goes to the disk or to memory, and when the records in memory return to the disk.
///
/// All records have one order and one numbering: a record in memory has the sequence that it will have on disk. So a
/// reader's place stays right when records move, and no record is read twice.
///
/// A value without effects. `FailoverLog` holds it behind a lock, does the writing, and passes the results back.
struct FailoverMachine: Sendable {
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

    /// The next write of the return to the disk.
    enum Step: Sendable, Equatable {
        /// Make sure that the disk's next record gets a higher sequence than this one.
        case reserve(through: UInt64)
        /// Write the newest snapshot.
        case snapshot([UInt8])
        /// Append the oldest record of memory.
        case record(JournalRecord)
        /// Nothing: the disk has everything, and appends go to it.
        case none
        /// Nothing now: writes to the disk are under way, or the disk is being exchanged.
        case blocked
    }

    /// The consequences of a refused write.
    struct Refusal: Sendable, Equatable {
        /// Whether the disk accepted records until now, so the failure has to be reported.
        let isFirst: Bool
        /// Older records that were dropped to make room.
        let dropped: Int
        /// Whether no write is under way any more.
        let isIdle: Bool
    }

    /// Sequences that are left free for writes that are under way when the disk begins to refuse.
    static let slack: UInt64 = 16

    private(set) var route: Route
    private(set) var memory: MemoryBuffer
    /// The sequence of the newest removed record of memory, without dropped ones; 0 when there is none.
    private(set) var removed: UInt64 = 0
    /// The error with which the disk refuses; nil while it does not. It stays until the return to the disk was
    /// reported.
    private(set) var failure: (any Error)?
    /// The newest snapshot, while the disk does not have it.
    private(set) var owedSnapshot: [UInt8]?
    /// Records that are being written to the disk. A snapshot counts as one.
    private(set) var underWay = 0
    /// How often records were dropped or purged, without the records that the disk counts itself.
    private(set) var withdrawals = 0
    /// The records that the reader has taken, and says itself what becomes of them, and the records that it reads or sends.
    private(set) var claims = ReaderClaims()
    private var isRoomWanted = false
    private var isRetryScheduled = false
    private(set) var isClosed = false

    /// - Parameter hasDisk: whether there is a disk at the start.
    init(capacity: Int, hasDisk: Bool = true) {
        memory = MemoryBuffer(capacity: capacity)
        route = hasDisk ? .disk : .memory
    }

    /// Whether the next record goes to memory.
    var isSpilling: Bool { route != .disk }

    /// The newest sequence, when the newest on disk is `last`.
    func end(_ last: UInt64) -> UInt64 { isSpilling ? max(last, memory.next - 1) : last }

    // MARK: Appending

    /// Takes a snapshot and a record to append; either can be missing.
    /// - Returns: nil when they have to be written to the disk. Otherwise they are in memory, and the result is the
    ///   number of older records that were dropped.
    mutating func append(_ payload: [UInt8]?, _ tag: JournalTag?, snapshot: [UInt8]?) -> Int? {
        guard isSpilling else {
            underWay += 1
            return nil
        }
        owedSnapshot = snapshot ?? owedSnapshot
        return keep(payload, tag)
    }

    /// Takes the records of a group to append.
    /// - Returns: as for one record. A group that is in memory is empty afterwards.
    mutating func append(_ group: inout JournalGroup) -> Int? {
        guard isSpilling else {
            underWay += group.count
            return nil
        }
        return keep(&group)
    }

    /// The disk has accepted what `append` wanted written.
    /// - Returns: whether no write is under way any more.
    mutating func appended(_ count: Int = 1) -> Bool {
        underWay -= count
        return underWay == 0
    }

    /// The disk, with `last` as its newest sequence, has refused a snapshot and a record.
    mutating func refused(
        _ error: any Error, last: UInt64, _ payload: [UInt8]?, _ tag: JournalTag?, snapshot: [UInt8]?
    ) -> Refusal {
        refused(error, last: last) { machine in
            // A snapshot that already waits for the disk is newer than the refused one.
            machine.owedSnapshot = machine.owedSnapshot ?? snapshot
            return machine.keep(payload, tag)
        }
    }

    /// The disk has refused the rest of a group, of which `count` records were under way.
    mutating func refused(_ error: any Error, last: UInt64, _ group: inout JournalGroup, count: Int) -> Refusal {
        refused(error, last: last, count: count) { $0.keep(&group) }
    }

    /// The disk gives later records only higher sequences than this one, and memory does the same.
    mutating func reserved(through sequence: UInt64) { memory.begin(at: sequence + 1) }

    /// The disk has refused a reservation of sequences. Memory keeps to it.
    mutating func refusedReservation(_ error: any Error, last: UInt64, through sequence: UInt64) -> Refusal {
        memory.begin(at: sequence + 1)
        underWay += 1
        return refused(error, last: last) { _ in 0 }
    }

    private mutating func refused(
        _ error: any Error, last: UInt64, count: Int = 1, _ keep: (inout FailoverMachine) -> Int
    ) -> Refusal {
        let isFirst = failure == nil
        failure = error
        switch route {
        case .disk: spill(last: last, to: .memory)
        case .returning: route = .memory
        case .memory, .exchange: break
        }
        let dropped = keep(&self)
        return Refusal(isFirst: isFirst, dropped: dropped, isIdle: appended(count))
    }

    private mutating func keep(_ payload: [UInt8]?, _ tag: JournalTag?) -> Int {
        guard let payload, let dropped = memory.append(payload, tag: tag), dropped > claims.taken else { return 0 }
        withdrawals += 1
        return claims.leave(from: dropped, through: dropped, .dropped)
    }

    private mutating func keep(_ group: inout JournalGroup) -> Int {
        var dropped = 0
        while let record = group.first {
            dropped += keep(record.payload, record.tag)
            group.removeFirst(1)
        }
        return dropped
    }

    /// Sends appends to memory from now on. Their sequences leave room for the writes to the disk that are under way.
    private mutating func spill(last: UInt64, to route: Route) {
        if !isSpilling { memory.begin(at: last + 1 + UInt64(max(underWay, 0)) + Self.slack) }
        self.route = route
    }

    // MARK: Return to the disk

    /// The next write, when the disk's newest sequence is `last`.
    mutating func nextStep(last: UInt64) -> Step {
        guard isSpilling, !isClosed else { return .none }
        guard route != .exchange, underWay == 0 else { return .blocked }
        if last + 1 < memory.first { return .reserve(through: memory.first - 1) }
        if let owedSnapshot { return .snapshot(owedSnapshot) }
        if let record = memory.oldest { return .record(record) }
        route = .disk
        return .none
    }

    /// The disk has accepted the step.
    mutating func took(_ step: Step) {
        switch step {
        case .snapshot: owedSnapshot = nil
        case .record:
            memory.removeFirst()
            route = .returning
        case .reserve, .none, .blocked: break
        }
    }

    /// The disk has refused the step.
    mutating func refusedStep(_ error: any Error) {
        failure = error
        if route == .returning { route = .memory }
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

    /// Another disk is about to replace this one, which has `last` as its newest sequence.
    /// - Returns: whether no write to the old disk is under way.
    mutating func beginExchange(last: UInt64) -> Bool {
        spill(last: last, to: .exchange)
        return underWay == 0
    }

    /// The exchange failed, and the old disk stays.
    mutating func exchangeFailed(_ error: any Error) {
        failure = error
        if route == .exchange { route = .memory }
    }

    /// The other disk is used from now on.
    /// - Parameters:
    ///   - withdrawals: the number that the old disk counted.
    ///   - old: the old disk's claims, with records in use that have left it.
    mutating func exchanged(withdrawals: Int, claims old: ReaderClaims = ReaderClaims()) {
        self.withdrawals += withdrawals
        claims.takeOver(old)
        if route == .exchange { route = .memory }
    }

    /// The log is closed. Nothing moves to the disk any more.
    mutating func close() { isClosed = true }

    // MARK: Reading and removing

    /// Records of memory between two places, when the newest record on disk is `last` and all records there are read.
    /// Nil while earlier records are being written.
    func read(
        after sequence: UInt64, through bound: UInt64, last: UInt64, maxBytes: Int, maxCount: Int
    ) -> (records: [JournalRecord], end: UInt64)? {
        guard !isSpilling || underWay == 0 else { return nil }
        let records = memory.read(after: sequence, through: bound, maxBytes: maxBytes, maxCount: maxCount)
        return (records, records.last?.sequence ?? max(sequence, min(end(last), bound)))
    }

    /// Removes the records in memory up to a place.
    mutating func remove(through sequence: UInt64) {
        memory.remove(through: sequence)
        removed = max(removed, min(sequence, memory.next - 1))
    }

    /// Records were purged, and a reader may still have them.
    mutating func withdrew() { withdrawals += 1 }

    /// The reader has taken the records up to a sequence. When it held records that left the log meanwhile, it has their
    /// bytes.
    mutating func take(through sequence: UInt64) { claims.take(through: sequence) }

    /// The reader holds the records up to a sequence, 0 for none, and nothing is under way of what it held before.
    /// - Returns: the records that left the log meanwhile and did not arrive.
    mutating func hold(through sequence: UInt64) -> ReaderClaims.Losses { claims.hold(through: sequence) }

    /// A purge has deleted records of the disk, all from one sequence to another.
    /// - Returns: how many of them are not being sent.
    mutating func purged(from first: UInt64, through last: UInt64) -> Int {
        claims.leave(from: first, through: last, .deleted)
    }

    /// The records in memory that the reader has not taken, or that come after a place.
    func left(after place: UInt64?) -> [JournalRecord] {
        memory.read(after: place ?? claims.taken, maxBytes: .max, maxCount: .max)
    }

    /// Purges memory.
    /// - Returns: the number of deleted records that are not being sent.
    mutating func purge() -> Int {
        let inMemory = memory.isEmpty ? 0 : purged(from: memory.first, through: memory.next - 1)
        // A reader that is about to send sees the new number before any of its records counts as deleted.
        withdrawals += 1
        remove(through: .max)
        return inMemory
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
