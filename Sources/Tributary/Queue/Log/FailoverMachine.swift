import TributaryJournal

/// Decides whether a record goes to the disk or waits in memory, and when what waits returns to the disk.
///
/// Records have one order and one numbering, wherever they are: a record in memory has the sequence that it will have on
/// disk. So a reader's place stays right when records move, and nobody reads a record twice.
///
/// A value without effects. `FailoverLog` holds it behind a lock, writes what it asks for, and reports what came of it.
struct FailoverMachine: Sendable {
    /// Where the next record goes.
    enum Route: Sendable, Equatable {
        /// To the disk.
        case disk
        /// Into memory, because the disk refuses records or there is no disk.
        case memory
        /// Into memory, behind records that the disk takes again. Each append helps to move two of those.
        case returning
        /// Into memory, while another disk takes the place of this one.
        case exchange
    }

    /// The next write on the way back to the disk.
    enum Step: Sendable, Equatable {
        /// Make sure that the disk's next record gets a sequence behind this one.
        case reserve(through: UInt64)
        /// Write the newest snapshot.
        case snapshot([UInt8])
        /// Append the oldest record of memory.
        case record(JournalRecord)
        /// Nothing: the disk has everything, and appends go to it.
        case none
        /// Nothing now: writes to the disk are still under way, or the disk is being exchanged.
        case blocked
    }

    /// What a refused write leads to.
    struct Refusal: Sendable, Equatable {
        /// Whether the disk took records until now, so that somebody has to hear of it.
        let isFirst: Bool
        /// Older records that had to go to make room.
        let dropped: Int
        /// Whether no write is under way any more.
        let isIdle: Bool
    }

    /// Room that is left in the numbering for writes that are under way when the disk begins to refuse.
    static let slack: UInt64 = 16

    private(set) var route: Route
    private(set) var memory: MemoryBuffer
    /// The newest record of memory that was removed, dropped ones aside; 0 when none was.
    private(set) var removed: UInt64 = 0
    /// Why the disk refuses; nil while it does not. It stays until somebody was told that the disk is used again.
    private(set) var failure: (any Error)?
    /// The newest snapshot, while the disk does not have it.
    private(set) var owedSnapshot: [UInt8]?
    /// Records whose writing to the disk has begun and not ended; a snapshot counts as one.
    private(set) var underWay = 0
    /// How often records went before a reader removed them, but for those that the disk itself counts.
    private(set) var withdrawals = 0
    private var isRoomWanted = false
    private var isRetryScheduled = false
    private(set) var isClosed = false

    /// - Parameter hasDisk: whether there is a disk at the start.
    init(capacity: Int, hasDisk: Bool = true) {
        memory = MemoryBuffer(capacity: capacity)
        route = hasDisk ? .disk : .memory
    }

    /// Whether the next record goes into memory.
    var isSpilling: Bool { route != .disk }

    /// The newest sequence, when the newest on disk is `last`.
    func end(_ last: UInt64) -> UInt64 { isSpilling ? max(last, memory.next - 1) : last }

    // MARK: Appending

    /// A snapshot and a record are to be appended; either can be missing.
    /// - Returns: nil when they are to be written to the disk; else they are in memory, and that many older records went.
    mutating func append(_ payload: [UInt8]?, _ tag: JournalTag?, snapshot: [UInt8]?) -> Int? {
        guard isSpilling else {
            underWay += 1
            return nil
        }
        owedSnapshot = snapshot ?? owedSnapshot
        return keep(payload, tag)
    }

    /// The records of a group are to be appended.
    /// - Returns: as for one record; a group that is in memory is empty afterwards.
    mutating func append(_ group: inout JournalGroup) -> Int? {
        guard isSpilling else {
            underWay += group.count
            return nil
        }
        return keep(&group)
    }

    /// The disk has what `append` said to write.
    /// - Returns: whether no write is under way any more.
    mutating func appended(_ count: Int = 1) -> Bool {
        underWay -= count
        return underWay == 0
    }

    /// The disk, whose newest sequence is `last`, refused a snapshot and a record.
    mutating func refused(
        _ error: any Error, last: UInt64, _ payload: [UInt8]?, _ tag: JournalTag?, snapshot: [UInt8]?
    ) -> Refusal {
        refused(error, last: last) { machine in
            // A snapshot that is owed already is newer than one that the disk refuses only now.
            machine.owedSnapshot = machine.owedSnapshot ?? snapshot
            return machine.keep(payload, tag)
        }
    }

    /// The disk refused what is left of a group, of which `count` records were under way.
    mutating func refused(_ error: any Error, last: UInt64, _ group: inout JournalGroup, count: Int) -> Refusal {
        refused(error, last: last, count: count) { $0.keep(&group) }
    }

    /// The disk gives later records sequences behind that one only; memory keeps to it.
    mutating func reserved(through sequence: UInt64) { memory.begin(at: sequence + 1) }

    /// The disk refused to give no sequence up to that one to later records; memory keeps to it.
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
        guard let payload else { return 0 }
        return memory.append(payload, tag: tag) ? 1 : 0
    }

    private mutating func keep(_ group: inout JournalGroup) -> Int {
        var dropped = 0
        while let record = group.first {
            dropped += keep(record.payload, record.tag)
            group.removeFirst(1)
        }
        return dropped
    }

    /// From now on appends go to memory, numbered so that what is under way to the disk still comes before them.
    private mutating func spill(last: UInt64, to route: Route) {
        if !isSpilling { memory.begin(at: last + 1 + UInt64(max(underWay, 0)) + Self.slack) }
        self.route = route
    }

    // MARK: Back to the disk

    /// What is to be written next, when the disk's newest sequence is `last`.
    mutating func nextStep(last: UInt64) -> Step {
        guard isSpilling, !isClosed else { return .none }
        guard route != .exchange, underWay == 0 else { return .blocked }
        if last + 1 < memory.first { return .reserve(through: memory.first - 1) }
        if let owedSnapshot { return .snapshot(owedSnapshot) }
        if let record = memory.oldest { return .record(record) }
        route = .disk
        return .none
    }

    /// The disk took the step.
    mutating func took(_ step: Step) {
        switch step {
        case .snapshot: owedSnapshot = nil
        case .record:
            memory.removeFirst()
            route = .returning
        case .reserve, .none, .blocked: break
        }
    }

    /// The disk refused the step.
    mutating func refusedStep(_ error: any Error) {
        failure = error
        if route == .returning { route = .memory }
    }

    /// The way back has ended.
    /// - Returns: whether somebody has to hear that the disk is used again.
    mutating func recovered() -> Bool {
        guard !isSpilling, failure != nil else { return false }
        failure = nil
        return true
    }

    /// Whether a look at the disk has to be scheduled. Asking counts as scheduling.
    mutating func wantsRetry() -> Bool {
        guard !isRetryScheduled, !isClosed else { return false }
        isRetryScheduled = true
        return true
    }

    /// The look at the disk that was scheduled begins.
    mutating func retryBegan() { isRetryScheduled = false }

    // MARK: Another disk

    /// Another disk is about to take the place of this one, whose newest sequence is `last`.
    /// - Returns: whether no write to the old disk is under way.
    mutating func beginExchange(last: UInt64) -> Bool {
        spill(last: last, to: .exchange)
        return underWay == 0
    }

    /// The old disk stays.
    mutating func exchangeFailed(_ error: any Error) {
        failure = error
        if route == .exchange { route = .memory }
    }

    /// The other disk is used from now on.
    /// - Parameter withdrawals: those that the old disk counted.
    mutating func exchanged(withdrawals: Int) {
        self.withdrawals += withdrawals
        if route == .exchange { route = .memory }
    }

    /// The log is closed: nothing is moved to the disk any more.
    mutating func close() { isClosed = true }

    // MARK: Reading and removing

    /// Records of memory between two places, when the newest record on disk is `last` and nothing is left there to read;
    /// nil while records are under way that come before them.
    func read(
        after sequence: UInt64, through bound: UInt64, last: UInt64, maxBytes: Int, maxCount: Int
    ) -> (records: [JournalRecord], end: UInt64)? {
        guard !isSpilling || underWay == 0 else { return nil }
        let records = memory.read(after: sequence, through: bound, maxBytes: maxBytes, maxCount: maxCount)
        return (records, records.last?.sequence ?? max(sequence, min(end(last), bound)))
    }

    /// Forgets what waits in memory up to a place.
    mutating func remove(through sequence: UInt64) {
        memory.remove(through: sequence)
        removed = max(removed, min(sequence, memory.next - 1))
    }

    /// Records went, and a reader may still have them.
    mutating func withdrew() { withdrawals += 1 }

    /// Whether memory has room for a while, should the disk refuse. After a "no", `takeRoom` answers once it has.
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
