import Dispatch
import Foundation
import TributaryJournal

/// A log that uses bounded memory while its disk refuses records, and returns to the disk when it can. A log without a
/// disk stays in memory.
///
/// `FailoverMachine` decides. The log holds the machine behind a lock and does the writing.
///
/// Unchecked because the state is behind its lock, and everything else is constant or thread-safe by itself.
final class FailoverLog: @unchecked Sendable {
    struct State {
        var disk: (any RecordLog)?
        var machine: FailoverMachine
        /// Signalled when no write to the disk is under way any more.
        var drained: DispatchSemaphore?
        var reading = ReadRetries()
        /// The tasks that failed at their last attempt, so a failure is reported once and not at each attempt.
        var failing: Set<Task> = []
    }

    /// Work of the disk other than taking records.
    enum Task { case removing, syncing }

    private struct Handlers {
        var readable: (@Sendable () -> Void)?
        var room: (@Sendable () -> Void)?
        var detached: (@Sendable () -> Void)?
    }

    /// Seconds between two attempts to return to the disk.
    static let retryInterval: TimeInterval = 1

    let name: String
    let state: LockBox<State>
    private let host: LogHost
    /// The removals that the disk has not stored yet. Held while the disk stores them, so that an earlier mark never
    /// replaces a later one.
    private let owedRemoval = LockBox<Removal?>(nil)
    private let handlers = LockBox(Handlers())

    /// - Parameters:
    ///   - disk: the log on disk; nil keeps records in memory.
    ///   - capacity: the largest number of records in memory.
    init(_ name: String, disk: (any RecordLog)?, capacity: Int = Limits.memoryEvents, _ host: LogHost) {
        self.name = name
        self.host = host
        let machine = FailoverMachine(capacity: capacity, hasDisk: disk != nil)
        state = LockBox(State(disk: disk, machine: machine))
    }

    /// Sets a closure that is called when another attempt to read makes sense after a failure.
    func whenReadable(_ action: @escaping @Sendable () -> Void) { handlers.withLock { $0.readable = action } }

    /// Sets a closure that is called when memory has room again after `hasRoom` was false.
    func whenRoom(_ action: @escaping @Sendable () -> Void) { handlers.withLock { $0.room = action } }

    /// Sets a closure that is called when the disk refuses because its files are gone.
    func whenDetached(_ action: @escaping @Sendable () -> Void) { handlers.withLock { $0.detached = action } }

    // MARK: State

    private var disk: (any RecordLog)? { state.withLock { $0.disk } }
    /// Whether there is a disk, even one that refuses records now.
    var hasDisk: Bool { disk != nil }
    /// Whether the disk's files are still where they were opened; true without a disk.
    var isAttached: Bool { disk?.isAttached ?? true }
    /// Records on disk that were not removed, and their bytes; 0 without a disk.
    var sizeOnDisk: (count: Int, bytes: Int) { disk?.size ?? (0, 0) }
    /// Records that were not removed.
    var count: Int {
        let (disk, memory) = state.withLock { ($0.disk, $0.machine.memory.count) }
        return (disk?.size.count ?? 0) + memory
    }
    /// Records that were not removed, after a sequence.
    func count(after sequence: UInt64) -> Int {
        let (disk, inMemory) = state.withLock { ($0.disk, $0.machine.memory.count(after: sequence)) }
        return (disk?.count(after: sequence) ?? 0) + inMemory
    }
    /// Records that the reader has neither taken nor removed, after a sequence.
    func untaken(after sequence: UInt64 = 0) -> Int {
        count(after: max(sequence, state.withLock { $0.machine.claims.taken }))
    }
    /// The approximate bytes of records that were not removed.
    var byteCount: Int {
        let (disk, memory) = state.withLock { ($0.disk, $0.machine.memory.byteCount) }
        return (disk?.size.bytes ?? 0) + memory
    }
    /// Records that are only in memory.
    var inMemory: Int { state.withLock { $0.machine.memory.count } }
    /// Whether memory has enough room in case the disk refuses. After a false, `whenRoom` is called.
    var hasRoom: Bool { state.withLock { $0.disk == nil || $0.machine.hasRoom() } }
    /// The error with which the disk refuses records now; nil while it accepts them.
    var failure: (any Error)? { state.withLock { $0.machine.failure } }
    /// Whether an appended record survives the end of the process.
    var isLasting: Bool { state.withLock { !$0.machine.isSpilling } }
    /// Whether every record is on disk, if there is a disk.
    var isSettled: Bool { state.withLock { $0.disk == nil || $0.machine.memory.isEmpty } }
    /// The records on disk that were not removed; nil without a disk.
    var sequencesOnDisk: Range<UInt64>? {
        disk.map { $0.head }.map { min($0.watermark, $0.lastSequence) + 1..<$0.lastSequence + 1 }
    }
    /// The epoch of the log on disk; 0 without a disk.
    var epoch: UInt64 { disk?.head.epoch ?? 0 }
    var snapshot: [UInt8]? {
        let (owed, disk) = state.withLock { ($0.machine.owedSnapshot, $0.disk) }
        return owed ?? disk?.snapshot
    }
    /// The sequence of the newest record.
    var end: UInt64 { state.withLock { $0.machine.end($0.last) } }
    /// The sequence up to which everything was removed.
    var start: UInt64 { state.withLock { $0.disk?.head.watermark ?? $0.machine.removed } }
    /// The tag of the newest record that has one, wherever it is.
    var newestTag: JournalTag? {
        let (memory, disk) = state.withLock { ($0.machine.memory.newestTag, $0.disk) }
        return memory ?? disk?.head.lastTag
    }

    /// A counter that grows when records are dropped or purged. A reader may hold some of them.
    var withdrawals: Int { state.withLock { $0.machine.withdrawals + ($0.disk?.files?.drops ?? 0) } }

    /// Whether a record that was read is still here.
    func contains(_ sequence: UInt64) -> Bool {
        state.withLock { $0.machine.memory.contains(sequence) || $0.disk?.contains(sequence) ?? false }
    }

    // MARK: Appending

    /// Appends a snapshot and a record; either can be missing. When the disk refuses them, they stay in memory.
    /// - Returns: the record's sequence when it is on disk.
    @discardableResult
    func append(_ payload: [UInt8]?, tag: JournalTag? = nil, snapshot: [UInt8]? = nil) -> UInt64? {
        let disk = begin { state in
            let dropped = state.machine.append(payload, tag, snapshot: snapshot)
            // Moves two records for each appended one. So memory empties even when more is tracked than the storage
            // queue can move.
            if dropped != nil, state.machine.route == .returning { for _ in 0..<2 { _ = state.moveOne() } }
            return dropped
        }
        guard let disk else { return nil }
        do {
            let sequence = try disk.append(payload, tag: tag, snapshot: snapshot)
            appended(1)
            return sequence
        } catch {
            refused(error) { $0.machine.refused(error, last: $0.last, payload, tag, snapshot: snapshot) }
            return nil
        }
    }

    /// Appends records in one step. Records that the disk refuses stay in memory.
    func append(_ group: JournalGroup) {
        var group = group
        let count = group.count
        guard let disk = begin({ $0.machine.append(&group) }) else { return }
        do {
            try disk.append(&group)
            appended(count)
        } catch {
            refused(error) { $0.machine.refused(error, last: $0.last, &group, count: count) }
        }
    }

    /// - Parameter decide: returns nil when the disk has to be written, or else the number of dropped records.
    /// - Returns: the disk to write to.
    private func begin(_ decide: (inout State) -> Int?) -> (any RecordLog)? {
        let (disk, dropped) = state.withLock { state -> ((any RecordLog)?, Int) in
            guard let dropped = decide(&state) else { return (state.disk, 0) }
            return (nil, dropped)
        }
        if dropped > 0 { drop(dropped) }
        return disk
    }

    private func appended(_ count: Int) {
        let drained = state.withLock { $0.machine.appended(count) ? $0.takeDrained() : nil }
        drained?.signal()
    }

    private func refused(_ error: any Error, _ decide: (inout State) -> FailoverMachine.Refusal) {
        let (refusal, drained) = state.withLock { state in
            let refusal = decide(&state)
            return (refusal, refusal.isIdle ? state.takeDrained() : nil)
        }
        drained?.signal()
        if refusal.dropped > 0 { drop(refusal.dropped) }
        scheduleRetry()
        if refusal.isFirst { report("the \(name) cannot be written; events wait in memory", error) }
    }

    private func drop(_ count: Int) { host.count([.dropped: count], of: name) }

    private func report(_ text: String, _ error: any Error) {
        host.report(Diagnostic(.storage, "\(text): \(error)", reason: .init(StorageState.Reason(error))))
    }

    // MARK: Reading and removing

    /// Reads records between two sequences, oldest first. Returns the newest sequence among them; without records, the
    /// end of the log.
    ///
    /// Returns nothing when the records cannot be read now. `whenReadable` then says when to try again.
    func read(
        after sequence: UInt64, through bound: UInt64 = .max, maxBytes: Int, maxCount: Int
    ) -> (records: [JournalRecord], end: UInt64) {
        // Records that are read now may leave the device, so purged records must be gone before.
        finishPurge()
        while true {
            let (disk, last) = state.withLock { ($0.disk, $0.last) }
            do {
                defer { tell(disk) }
                let records = try disk?.read(after: sequence, through: bound, maxBytes: maxBytes, maxCount: maxCount)
                readSucceeded()
                if let records, let newest = records.last { return (records, newest.sequence) }
            } catch {
                // Another disk may have replaced this one meanwhile.
                if self.disk !== disk { continue }
                readFailed(error)
                return ([], sequence)
            }
            let found = state.withLock { state -> (records: [JournalRecord], end: UInt64)? in
                // Records that reached the disk meanwhile come before those in memory.
                guard state.disk === disk, state.last == last else { return nil }
                return state.machine.read(
                    after: sequence, through: bound, last: last, maxBytes: maxBytes, maxCount: maxCount)
                    ?? ([], sequence)
            }
            if let found { return found }
        }
    }

    /// Removes all records up to a sequence. When the disk refuses to store that, the log owes it: it tries again at each
    /// look at the disk, and at the end. Otherwise the next process would read the records again.
    func remove(through sequence: UInt64, mark: [UInt8]? = nil) {
        let disk = state.withLock { state in
            state.machine.take(through: sequence)
            state.machine.remove(through: sequence)
            return state.disk
        }
        _ = disk?.take(through: sequence)
        tellRoom()
        if !storeRemovals(and: Removal(through: sequence, mark: mark)) { scheduleRetry() }
    }

    /// Stores the removals that the disk does not have yet.
    /// - Returns: whether the disk has them.
    private func storeRemovals(and latest: Removal? = nil) -> Bool {
        owedRemoval.withLock { owed in
            if let latest { owed = owed?.adding(latest) ?? latest }
            guard let due = owed, let disk, due.isNews(for: disk.head) else {
                owed = nil
                return true
            }
            let isStored = attempt(.removing, disk, "the \(name) cannot remove records that are no longer needed") {
                try disk.remove(through: due.through, mark: due.mark)
            }
            // Records in memory have sequences that the disk does not have yet. Their removal is stored when it has them.
            if isStored { owed = due.rest(for: disk.head) }
            return isStored
        }
    }

    /// Takes the records up to a sequence, which the reader has read. From now on the reader says what becomes of them, so
    /// the log counts them neither as lost nor as deleted.
    /// - Returns: says whether a record was still in the log. The log has counted the others.
    func take(through sequence: UInt64) -> Taken {
        state.withLock { state in
            state.machine.take(through: sequence)
            let memory = state.machine.memory
            return Taken(disk: state.disk?.take(through: sequence), memory: memory.first..<memory.next)
        }
    }

    /// The records that were in the log when the reader took them.
    struct Taken {
        let disk: ClosedRange<UInt64>?
        let memory: Range<UInt64>

        func contains(_ sequence: UInt64) -> Bool { disk?.contains(sequence) == true || memory.contains(sequence) }
    }

    /// Removes the records in memory up to a sequence. The records on disk stay.
    func removeSpilled(through sequence: UInt64) {
        state.withLock { $0.machine.remove(through: sequence) }
        tellRoom()
    }

    /// Makes sure that no later record gets a sequence up to this one.
    ///
    /// A power failure may lose the newest records of the inbox, while the outbox still refers to them.
    func reserve(through sequence: UInt64) {
        guard sequence > end else { return }
        do {
            try disk?.reserve(through: sequence)
            state.withLock { $0.machine.reserved(through: sequence) }
        } catch {
            refused(error) { $0.machine.refusedReservation(error, last: $0.last, through: sequence) }
        }
    }

    func tellRoom() {
        if state.withLock({ $0.machine.takeRoom() }) { handlers.withLock { $0.room }?() }
    }

    private func readFailed(_ error: any Error) {
        let (isFirst, pause, isClosed) = state.withLock { state in
            let (isFirst, pause) = state.reading.failed(error)
            return (isFirst, pause, state.machine.isClosed)
        }
        guard !isClosed else { return }
        host.time.schedule(after: pause, on: host.queue) { [weak self] in self?.handlers.withLock { $0.readable }?() }
        if isFirst { report("the \(name) cannot be read now; the client tries again", error) }
    }

    private func readSucceeded() {
        guard state.withLock({ $0.reading.succeeded() }) else { return }
        host.report(Diagnostic(.storage, "the \(name) can be read again", reason: .recovered))
    }

    // MARK: Purging

    /// Deletes all records that were appended before; the snapshot stays.
    ///
    /// Records that the disk cannot delete now are not read any more, and are deleted as soon as possible.
    func purge() {
        let (disk, inMemory) = state.withLock { ($0.disk, $0.machine.purge()) }
        // Done last: a reader that sees the new number then reads no purged records.
        defer { state.withLock { $0.machine.withdrew() } }
        let before = disk?.head.watermark ?? 0
        defer { host.count([.deleted: inMemory + (disk.map { purged(on: $0, after: before) } ?? 0)], of: name) }
        do {
            defer { tell(disk) }
            try disk?.purge()
        } catch {
            host.report(Self.notPurged(name, error))
            if disk?.head.owesPurge == true { scheduleRetry() }
        }
    }

    /// The records of the disk that a purge has deleted and that count now. A journal counts by itself.
    private func purged(on disk: any RecordLog, after sequence: UInt64) -> Int {
        if let files = disk.files { return files.takeDeleted() }
        return state.withLock { $0.machine.purged(from: sequence + 1, through: disk.head.watermark) }
    }

    /// Whether purged records would come back in the next process. Not when their files were deleted meanwhile.
    var owesPurge: Bool { disk.map { $0.head.owesPurge && $0.isAttached } ?? false }

    /// Finishes a purge that the disk could not carry out. Called before every read, at each look at the disk, and at
    /// the end.
    /// - Returns: whether the disk owes no purge any more.
    @discardableResult
    func finishPurge() -> Bool {
        guard let disk, disk.head.owesPurge else { return true }
        do {
            defer { tell(disk) }
            try disk.finishPurge()
            host.report(Diagnostic(.storage, "the \(name) is deleted now", reason: .recovered))
            return true
        } catch {
            return false
        }
    }

    static func notPurged(_ name: String, _ error: any Error) -> Diagnostic {
        Diagnostic(
            .storage, "the \(name) cannot be deleted: \(error)", reason: .init(StorageState.Reason(error)))
    }

    // MARK: Files

    /// Prevents that records which are being sent are dropped for room; nil ends that. Memory and a purge do not follow
    /// it: a record of a running request that they remove counts as lost or deleted when the request has ended and the
    /// record was not confirmed.
    func hold(through sequence: UInt64?) {
        let (disk, losses) = state.withLock { ($0.disk, $0.machine.hold(through: sequence ?? 0)) }
        host.count(losses, of: name)
        guard let files = disk?.files else { return }
        files.hold(through: sequence)
        host.count([.deleted: files.takeDeleted()], of: name)
    }

    /// Sets the limits of the disk.
    func setBounds(_ bounds: JournalBounds) { disk?.files?.setBounds(bounds) }

    /// Does work in advance that would be too slow for a thread that appends.
    func prepare() {
        guard let disk, let files = disk.files else { return }
        do {
            defer { tell(disk) }
            try files.prepare()
        } catch {
            // An append that meets the same problem reports it as a failure.
            host.report(Diagnostic(.storage, "the next file of the \(name) cannot be prepared: \(error)"))
        }
    }

    /// Syncs appended records to the medium.
    /// - Returns: whether that succeeded.
    func sync() -> Bool {
        guard let disk, let files = disk.files else { return true }
        return attempt(.syncing, disk, "the \(name) may not survive a power cut") { try files.sync() }
    }

    /// Brings to the disk what it does not have yet, as far as it accepts that now.
    func settle() {
        finishPurge()
        state.withLock { while $0.moveOne() == .moved {} }
        _ = storeRemovals()
    }

    /// Closes the files. This is the last chance for records in memory to reach the disk. A record that the disk refuses
    /// until the end is lost.
    /// - Parameters:
    ///   - place: the reader is done with the records up to this one; nil for the records that it has taken.
    ///   - comesAgain: whether the next process makes a record again.
    func close(after place: UInt64? = nil, comesAgain: (JournalRecord) -> Bool = { _ in false }) {
        settle()
        let (disk, left, failure) = state.withLock { state in
            state.machine.close()
            let left = state.machine.left(after: place)
            return (state.disk, state.disk == nil ? [] : left, state.machine.failure)
        }
        // Records that returned to the disk may have cost others their room.
        tell(disk)
        let lost = left.filter { !comesAgain($0) }.count
        if lost > 0 {
            host.lose(
                lost, of: name, .init(failure.map { StorageState.Reason($0) } ?? .failure),
                "the disk refused events of the \(name) until the end of the client")
        }
        disk?.close()
    }

    /// Reports a failure of the disk unless the last attempt failed, too.
    /// - Returns: whether it succeeded.
    private func attempt(_ task: Task, _ disk: any RecordLog, _ text: String, _ body: () throws -> Void) -> Bool {
        do {
            try body()
            state.withLock { _ = $0.failing.remove(task) }
            return true
        } catch {
            let isFirst = state.withLock { state in
                state.failing.insert(task).inserted && !state.machine.isClosed && state.disk === disk
            }
            if isFirst { report(text, error) }
            return false
        }
    }

    /// Reports what the journal found. `append` does not call it, because it runs on the thread of a caller of `track`.
    private func tell(_ disk: (any RecordLog)?) {
        if let files = disk?.files { host.tell(files.takeReports(), of: name) }
    }

    // MARK: Return to the disk

    /// Moves the records in memory to the disk. No lock is held longer than one write takes.
    private func returnToDisk() {
        let (disk, isNeeded) = state.withLock { ($0.disk, $0.machine.isSpilling && !$0.machine.isClosed) }
        // A disk without its files accepts records without an error and loses them.
        if isNeeded, disk?.isAttached == false {
            handlers.withLock { $0.detached }?()
            return scheduleRetry()
        }
        // This comes first, so that purged records do not survive together with newer ones.
        if !finishPurge() { scheduleRetry() }
        if !storeRemovals() { scheduleRetry() }
        while true {
            switch state.withLock({ $0.moveOne() }) {
            case .moved: continue
            case .failed: return scheduleRetry()
            case .done:
                if !storeRemovals() { scheduleRetry() }
                if state.withLock({ $0.machine.recovered() }) {
                    host.report(Diagnostic(.storage, "the \(name) is written to disk again", reason: .recovered))
                    handlers.withLock { $0.readable }?()
                }
                return tellRoom()
            }
        }
    }

    private func scheduleRetry() {
        guard state.withLock({ $0.machine.wantsRetry() }) else { return }
        host.time.schedule(after: Self.retryInterval, on: host.queue) { [weak self] in
            self?.state.withLock { $0.machine.retryBegan() }
            self?.returnToDisk()
        }
    }

    // MARK: Another disk

    /// Replaces the disk by another one that is empty, and takes the records after a sequence along.
    ///
    /// Sequences stay the same, so every reader's place stays right. The other disk has another epoch. Appends go to
    /// memory meanwhile.
    func exchange(for new: any RecordLog, after sequence: UInt64) throws {
        try owedRemoval.withLock { owed in
            if let old = disk {
                // The other disk gets no record that this one still has to remove.
                let removed = (owed ?? Removal(through: 0)).adding(Removal(through: sequence))
                try carryOver(from: old, to: new, without: removed)
            } else {
                state.withLock { state in
                    state.machine.remove(through: sequence)
                    state.adopt(new)
                }
            }
            owed = nil
        }
        returnToDisk()
    }

    private func carryOver(from old: any RecordLog, to new: any RecordLog, without removed: Removal) throws {
        let drained = state.withLock { state -> DispatchSemaphore? in
            if !state.machine.beginExchange(last: state.last) { state.drained = DispatchSemaphore(value: 0) }
            return state.drained
        }
        // Waits as long as one write takes.
        drained?.wait()
        do {
            try new.carryOver(old, without: removed)
        } catch {
            state.withLock { $0.machine.exchangeFailed(error) }
            try? new.remove(through: .max, mark: nil)
            new.close()
            scheduleRetry()
            throw error
        }
        state.withLock { state in
            state.machine.exchanged(
                withdrawals: old.files?.drops ?? 0, claims: old.files?.takeClaims() ?? ReaderClaims())
            state.adopt(new)
            state.reading = ReadRetries()
        }
        // Says which records were in files that are gone.
        tell(old)
        host.count([.deleted: old.files?.takeDeleted() ?? 0], of: name)
        // If the old files are still there, no client may take up the records again. If they are gone, other files may
        // have their names.
        if old.isAttached { try? old.remove(through: .max, mark: nil) }
        old.close()
    }
}

extension FailoverLog.State {
    /// The result of an attempt to move a record to the disk.
    enum Move { case moved, done, failed }

    /// Uses another disk, which learns what the reader holds and has taken.
    fileprivate mutating func adopt(_ new: any RecordLog) {
        new.files?.hold(through: machine.claims.held > 0 ? machine.claims.held : nil)
        _ = new.take(through: machine.claims.taken)
        disk = new
    }

    /// The newest sequence on disk; 0 without a disk.
    fileprivate var last: UInt64 { disk?.head.lastSequence ?? 0 }

    /// Moves the oldest record in memory to the disk. When none is left, appends go to the disk again.
    mutating func moveOne() -> Move {
        guard let disk else { return .done }
        while true {
            let step = machine.nextStep(last: last)
            do {
                switch step {
                case .none: return .done
                case .blocked: return .failed
                case .reserve(let sequence): try disk.reserve(through: sequence)
                case .snapshot(let snapshot): try disk.append(nil, tag: nil, snapshot: snapshot)
                case .record(let record): try disk.append(record.payload, tag: record.tag, snapshot: nil)
                }
            } catch {
                machine.refusedStep(error)
                return .failed
            }
            machine.took(step)
            if case .record = step { return .moved }
        }
    }

    /// The semaphore of a thread that waits until no write to the disk is under way.
    mutating func takeDrained() -> DispatchSemaphore? {
        defer { drained = nil }
        return drained
    }
}

extension RecordLog {
    /// Whether appended records will be found again; false when files of the log were deleted.
    fileprivate var isAttached: Bool {
        do {
            try files?.verify()
            return true
        } catch {
            return error.reason != .detached
        }
    }

    fileprivate func contains(_ sequence: UInt64) -> Bool {
        files?.contains(sequence) ?? (sequence > head.watermark)
    }

    /// Copies the snapshot, the mark and the records that are not removed, with their sequences.
    fileprivate func carryOver(_ old: any RecordLog, without removed: Removal) throws {
        if let snapshot = old.snapshot { try append(nil, tag: nil, snapshot: snapshot) }
        let before = old.head
        var place = max(removed.through, before.watermark)
        while true {
            let records = try old.read(after: place, through: .max, maxBytes: Limits.batchBytes, maxCount: .max)
            for record in records {
                if head.lastSequence + 1 < record.sequence { try reserve(through: record.sequence - 1) }
                try append(record.payload, tag: record.tag, snapshot: nil)
            }
            guard let last = records.last else { break }
            place = last.sequence
        }
        if head.lastSequence < before.lastSequence { try reserve(through: before.lastSequence) }
        let mark = removed.mark ?? before.mark
        if !mark.isEmpty { try remove(through: 0, mark: mark) }
    }
}
