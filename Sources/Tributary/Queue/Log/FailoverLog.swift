import Foundation
import TributaryJournal

/// A log that uses bounded memory while its disk refuses records, and returns to the disk when it can. A log without a
/// disk stays in memory.
///
/// `FailoverState` has the disk, the memory and the change between them. The log holds it behind a lock, and does the work that
/// takes longer than one write.
final class FailoverLog: Sendable {
    /// Work of the disk other than taking records.
    enum Task { case removing, syncing }

    struct Handlers {
        /// Called when another attempt to read makes sense after a failure.
        var readable: @Sendable () -> Void = {}
        /// Called when memory has room again after `hasRoom` was false.
        var room: @Sendable () -> Void = {}
        /// Called when the disk refuses because its files are gone.
        var detached: @Sendable () -> Void = {}
    }

    /// Seconds between two attempts to return to the disk.
    static let retryInterval: TimeInterval = 1

    let name: String
    private let state: LockBox<FailoverState>
    private let host: LogHost
    /// Attempts to read in a row that failed.
    private let failedReads = LockBox(0)
    /// The place where reading stopped, so that the next read does not search the segment again.
    private let cursor = LockBox<JournalCursor?>(nil)
    /// The tasks that failed at their last attempt, so a failure is reported once and not at each attempt.
    private let failing = LockBox<Set<Task>>([])
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
        state = LockBox(FailoverState(disk: disk, capacity: capacity))
    }

    /// Sets handlers.
    func handle(_ set: (inout Handlers) -> Void) { handlers.withLock(set) }

    // MARK: State

    private var disk: (any RecordLog)? { state.withLock { $0.disk } }
    /// Whether there is a disk, even one that refuses records now.
    var hasDisk: Bool { disk != nil }
    /// Whether the disk's files are still where they were opened; true without a disk.
    var isAttached: Bool { disk?.isAttached ?? true }
    /// Records on disk that were not removed, and their bytes; 0 without a disk.
    var sizeOnDisk: (count: Int, bytes: Int) { disk.map { ($0.count, $0.byteCount) } ?? (0, 0) }
    /// Records that were not removed.
    var count: Int {
        let (disk, memory) = state.withLock { ($0.disk, $0.memory.count) }
        return (disk?.count ?? 0) + memory
    }
    /// Records that were not removed, after a sequence.
    func count(after sequence: UInt64) -> Int {
        let (disk, inMemory) = state.withLock { ($0.disk, $0.memory.count(after: sequence)) }
        return (disk?.count(after: sequence) ?? 0) + inMemory
    }
    /// Records that the reader has neither taken nor removed, after a sequence.
    func untaken(after sequence: UInt64 = 0) -> Int {
        count(after: max(sequence, state.withLock { $0.claims.taken }))
    }
    /// The approximate bytes of records that were not removed.
    var byteCount: Int {
        let (disk, memory) = state.withLock { ($0.disk, $0.memory.byteCount) }
        return (disk?.byteCount ?? 0) + memory
    }
    /// Records that are only in memory.
    var inMemory: Int { state.withLock { $0.memory.count } }
    /// Whether memory has enough room in case the disk refuses. After a false, `Handlers.room` is called.
    var hasRoom: Bool { state.withLock { $0.disk == nil || $0.hasRoom() } }
    /// The error with which the disk refuses records now; nil while it accepts them.
    var failure: (any Error)? { state.withLock { $0.failure } }
    /// Whether an appended record survives the end of the process.
    var isLasting: Bool { state.withLock { !$0.isSpilling } }
    /// Whether every record is on disk, if there is a disk.
    var isSettled: Bool { state.withLock { $0.disk == nil || $0.memory.isEmpty } }
    /// The records on disk that were not removed; nil without a disk.
    var sequencesOnDisk: Range<UInt64>? {
        disk.map { $0.head }.map { min($0.watermark, $0.lastSequence) + 1..<$0.lastSequence + 1 }
    }
    /// The epoch of the log on disk; 0 without a disk.
    var epoch: UInt64 { disk?.head.epoch ?? 0 }
    var snapshot: [UInt8]? { state.withLock { $0.snapshot } }
    /// The sequence of the newest record.
    var end: UInt64 { state.withLock { $0.end } }
    /// The sequence up to which everything was removed.
    var start: UInt64 { state.withLock { $0.start } }
    /// The tag of the newest record that has one, wherever it is.
    var newestTag: JournalTag? { state.withLock { $0.newestTag } }
    /// A counter that grows when records are dropped or purged. A reader may hold some of them.
    var withdrawals: Int { state.withLock { $0.withdrawals } }
    /// Whether a record that was read is still here.
    func contains(_ sequence: UInt64) -> Bool { state.withLock { $0.contains(sequence) } }

    // MARK: Appending

    /// Appends a snapshot and a record; either can be missing. When the disk refuses them, they stay in memory.
    /// - Parameter onWrite: called with the record's sequence when the disk has it, in the order of sequences. It should take
    ///   no time: no other thread can append meanwhile.
    func append(
        _ payload: [UInt8]?, tag: JournalTag? = nil, snapshot: [UInt8]? = nil, onWrite: (UInt64) -> Void = { _ in }
    ) {
        let (disk, appended) = state.withLock { state in
            let appended = state.append(payload, tag, snapshot: snapshot)
            if let sequence = appended.write?.sequence { onWrite(sequence) }
            return (state.disk, appended)
        }
        finish(appended, disk) { $0.keep(payload, tag, snapshot: snapshot) }
    }

    /// Appends records in one step. Records that the disk refuses stay in memory.
    func append(_ group: JournalGroup) {
        let (disk, appended) = state.withLock { ($0.disk, $0.append(group)) }
        var again = group
        finish(appended, disk) { $0.keep(&again, appended.written) }
    }

    /// - Parameter keep: keeps in memory what the disk accepted and could not bring to the medium. The disk may have it twice
    ///   then.
    private func finish(
        _ appended: FailoverState.Appended, _ disk: (any RecordLog)?, _ keep: (inout FailoverState) -> Int
    ) {
        if appended.dropped > 0 { drop(appended.dropped) }
        if let refusal = appended.refusal { refused(refusal) }
        guard let write = appended.write, let disk else { return }
        do {
            try disk.finish(write)
        } catch {
            let (refusal, dropped) = state.withLock { state -> (FailoverState.Refusal?, Int) in
                // Another disk has taken the record over.
                guard state.disk === disk else { return (nil, 0) }
                return (state.refused(error), keep(&state))
            }
            if dropped > 0 { drop(dropped) }
            if let refusal { refused(refusal) }
        }
    }

    private func refused(_ refusal: FailoverState.Refusal) {
        scheduleRetry()
        if refusal.isFirst { report("the \(name) cannot be written; events wait in memory", refusal.error) }
    }

    private func drop(_ count: Int) { host.count([.dropped: count], of: name) }

    private func report(_ text: String, _ error: any Error) { host.report(.storage(text, error)) }

    // MARK: Reading and removing

    /// Reads records between two sequences, oldest first. Returns the newest sequence among them; without records, the
    /// end of the log.
    ///
    /// Returns nothing when the records cannot be read now. `Handlers.readable` is called when it makes sense to try again.
    func read(
        after sequence: UInt64, through bound: UInt64 = .max, maxBytes: Int, maxCount: Int
    ) -> (records: [JournalRecord], end: UInt64) {
        // Records that are read now may leave the device, so purged records must be gone before.
        finishPurge()
        while true {
            let (disk, last) = state.withLock { ($0.disk, $0.last) }
            do {
                defer { tell(disk) }
                let records = try cursor.withLock { cursor in
                    try disk?.read(
                        after: sequence, through: bound, maxBytes: maxBytes, maxCount: maxCount, from: &cursor)
                }
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
                return state.read(after: sequence, through: bound, maxBytes: maxBytes, maxCount: maxCount)
            }
            if let found { return found }
        }
    }

    /// Removes all records up to a sequence. When the disk refuses to store that, the log owes it: it tries again at each
    /// look at the disk, and at the end. Otherwise the next process would read the records again.
    func remove(through sequence: UInt64, mark: [UInt8]? = nil) {
        state.withLock { state in
            _ = state.take(through: sequence)
            state.remove(through: sequence)
        }
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
                try disk.removeThrough(due.through, markData: due.mark)
            }
            // Records in memory have sequences that the disk does not have yet. Their removal is stored when it has them.
            if isStored { owed = due.rest(for: disk.head) }
            return isStored
        }
    }

    /// Takes the records up to a sequence, which the reader has read. From now on the reader says what becomes of them, so
    /// the log counts them neither as lost nor as deleted.
    /// - Returns: says whether a record was still in the log. The log has counted the others.
    func take(through sequence: UInt64) -> Taken { state.withLock { $0.take(through: sequence) } }

    /// The records that were in the log when the reader took them.
    struct Taken {
        let disk: ClosedRange<UInt64>?
        let memory: Range<UInt64>

        func contains(_ sequence: UInt64) -> Bool { disk?.contains(sequence) == true || memory.contains(sequence) }
    }

    /// Removes the records in memory up to a sequence. The records on disk stay.
    func removeSpilled(through sequence: UInt64) {
        state.withLock { $0.remove(through: sequence) }
        tellRoom()
    }

    /// Makes sure that no later record gets a sequence up to this one.
    ///
    /// A power failure may lose the newest records of the inbox, while the outbox still refers to them.
    func reserve(through sequence: UInt64) {
        if let refusal = state.withLock({ $0.reserve(through: sequence) }) { refused(refusal) }
    }

    private func tellRoom() {
        if state.withLock({ $0.takeRoom() }) { handlers.current.room() }
    }

    private func readFailed(_ error: any Error) {
        let failures = failedReads.withLock { count in
            defer { count += 1 }
            return count
        }
        guard !state.withLock({ $0.isClosed }) else { return }
        host.time.schedule(after: Backoff.storage.pause(after: failures), on: host.queue) { [weak self] in
            self?.handlers.current.readable()
        }
        if failures == 0 { report("the \(name) cannot be read now; the client tries again", error) }
    }

    private func readSucceeded() {
        guard failedReads.exchange(0) > 0 else { return }
        host.report(Diagnostic(.storage, "the \(name) can be read again", reason: .recovered))
    }

    // MARK: Purging

    /// Deletes all records that were appended before; the snapshot stays.
    ///
    /// Records that the disk cannot delete now are not read any more, and are deleted as soon as possible.
    func purge() {
        let (disk, inMemory) = state.withLock { ($0.disk, $0.purge()) }
        // Done last: a reader that sees the new number then reads no purged records.
        defer { state.withLock { $0.withdrew() } }
        do {
            defer { tell(disk) }
            try disk?.purge(markData: nil)
        } catch {
            report("the \(name) cannot be deleted", error)
            if disk?.head.owesPurge == true { scheduleRetry() }
        }
        host.count([.deleted: inMemory + (disk?.takeDeleted() ?? 0)], of: name)
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

    // MARK: Files

    /// Prevents that records which are being sent are dropped for room; nil ends that. Memory and a purge do not follow
    /// it: a record of a running request that they remove counts as lost or deleted when the request has ended and the
    /// record was not confirmed.
    func hold(through sequence: UInt64?) {
        let (disk, losses) = state.withLock { ($0.disk, $0.hold(through: sequence ?? 0)) }
        host.count(losses, of: name)
        guard let disk else { return }
        disk.hold(through: sequence)
        host.count([.deleted: disk.takeDeleted()], of: name)
    }

    /// Sets the limits of the disk.
    func setBounds(_ bounds: JournalBounds) { disk?.setBounds(bounds) }

    /// Does work in advance that would be too slow for a thread that appends.
    func prepare() {
        guard let disk else { return }
        do {
            defer { tell(disk) }
            try disk.prepare()
        } catch {
            // An append that meets the same problem reports it as a failure.
            host.report(Diagnostic(.storage, "the next file of the \(name) cannot be prepared: \(error)"))
        }
    }

    /// Syncs appended records to the medium.
    /// - Returns: whether that succeeded.
    func sync() -> Bool {
        guard let disk else { return true }
        return attempt(.syncing, disk, "the \(name) may not survive a power cut") { try disk.sync() }
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
            state.close()
            return (state.disk, state.disk == nil ? [] : state.left(after: place), state.failure)
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
            failing.withLock { _ = $0.remove(task) }
            return true
        } catch {
            let isFirst = failing.withLock { $0.insert(task).inserted }
            if isFirst, state.withLock({ !$0.isClosed && $0.disk === disk }) { report(text, error) }
            return false
        }
    }

    /// Reports what the journal found. `append` does not call it, because it runs on the thread of a caller of `track`.
    private func tell(_ disk: (any RecordLog)?) {
        if let disk { host.tell(disk.takeReports(), of: name) }
    }

    // MARK: Return to the disk

    /// Moves the records in memory to the disk. No lock is held longer than one write takes.
    private func returnToDisk() {
        let (disk, isNeeded) = state.withLock { ($0.disk, $0.isSpilling && !$0.isClosed) }
        // A disk without its files accepts records without an error and loses them.
        if isNeeded, disk?.isAttached == false {
            handlers.current.detached()
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
                if state.withLock({ $0.recovered() }) {
                    host.report(Diagnostic(.storage, "the \(name) is written to disk again", reason: .recovered))
                    handlers.current.readable()
                }
                return tellRoom()
            }
        }
    }

    private func scheduleRetry() {
        guard state.withLock({ $0.wantsRetry() }) else { return }
        host.time.schedule(after: Self.retryInterval, on: host.queue) { [weak self] in
            self?.state.withLock { $0.retryBegan() }
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
                    state.remove(through: sequence)
                    state.adopt(new)
                }
            }
            owed = nil
        }
        cursor.withLock { $0 = nil }
        returnToDisk()
    }

    private func carryOver(from old: any RecordLog, to new: any RecordLog, without removed: Removal) throws {
        state.withLock { $0.beginExchange() }
        do {
            try new.carryOver(old, without: removed)
        } catch {
            state.withLock { $0.exchangeFailed(error) }
            try? new.removeThrough(.max, markData: nil)
            new.close()
            scheduleRetry()
            throw error
        }
        state.withLock { $0.adopt(new) }
        failedReads.withLock { $0 = 0 }
        // Says which records were in files that are gone.
        tell(old)
        host.count([.deleted: old.takeDeleted()], of: name)
        // If the old files are still there, no client may take up the records again. If they are gone, other files may
        // have their names.
        if old.isAttached { try? old.removeThrough(.max, markData: nil) }
        old.close()
    }
}
