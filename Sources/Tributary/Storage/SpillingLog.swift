import Dispatch
import Foundation
import TributaryJournal

/// A log that goes on in bounded memory while its disk refuses, and returns to it when it can.
///
/// Records have one order and one numbering, wherever they are: what waits in memory has the sequences that it will have
/// on disk. So a reader's place stays right when records move, and nobody sees one twice.
///
/// Unchecked because the state is behind its lock, everything else is constant or safe by itself.
final class SpillingLog: @unchecked Sendable {
    struct State {
        var disk: any RecordLog
        var memory: MemoryRecords
        /// Withdrawals that the disk does not count: purges, and those of disks that were exchanged.
        var withdrawals = 0
        /// What is being read or sent goes up to there; nil when nothing is.
        var held: LogPosition?
        /// Appends go to memory, because the disk refuses or because it is being exchanged.
        var isSpilling = false
        /// Why the disk refuses; nil while it does not.
        var failure: (any Error)?
        /// The latest snapshot, when the disk does not have it yet.
        var owedSnapshot: [UInt8]?
        /// Records whose appending to the disk has begun and not ended; a snapshot counts as one.
        var inFlight = 0
        /// Another disk is about to take the place of this one.
        var isExchanging = false
        /// Signalled when no append is left.
        var drained: DispatchSemaphore?
        /// The disk took a record from memory just now, so whoever appends helps to move the others.
        var isReturning = false
        var isRetryScheduled = false
        /// Somebody waits for room in memory.
        var isRoomWanted = false
        var readFailure: (any Error)?
        var readRetries = 0
        var removeFailed = false
        var syncFailed = false
        var isClosed = false
    }

    /// Seconds between two looks whether the disk takes records again.
    static let retryInterval: TimeInterval = 1
    /// Seconds between two tries to read at the most.
    static let longestReadPause: TimeInterval = 60
    /// Room that is left in the numbering for appends that are on their way to the disk when it begins to refuse.
    static let slack: UInt64 = 16

    let name: String
    let state: LockBox<State>
    private let queue: DispatchQueue
    private let time: any TimeSource
    let report: @Sendable (Diagnostic) -> Void
    private let onDrop: @Sendable (Int) -> Void
    private let readAgain = LockBox<(@Sendable () -> Void)?>(nil)
    private let roomAgain = LockBox<(@Sendable () -> Void)?>(nil)
    private let repair = LockBox<(@Sendable () -> Void)?>(nil)

    /// - Parameters:
    ///   - capacity: records that wait in memory at the most.
    ///   - queue: where the log tries again; nothing of the caller's waits for it.
    init(
        name: String, disk: any RecordLog, capacity: Int, queue: DispatchQueue, time: any TimeSource,
        report: @escaping @Sendable (Diagnostic) -> Void, onDrop: @escaping @Sendable (Int) -> Void
    ) {
        self.name = name
        self.queue = queue
        self.time = time
        self.report = report
        self.onDrop = onDrop
        state = LockBox(State(disk: disk, memory: MemoryRecords(capacity: capacity)))
    }

    /// What is called when reading is worth another try after it failed.
    func whenReadable(_ action: @escaping @Sendable () -> Void) { readAgain.withLock { $0 = action } }

    /// What is called when memory has room again after `hasRoom` was false.
    func whenRoom(_ action: @escaping @Sendable () -> Void) { roomAgain.withLock { $0 = action } }

    /// What is called when the disk refuses because its files are no longer there.
    func whenDetached(_ action: @escaping @Sendable () -> Void) { repair.withLock { $0 = action } }

    // MARK: What there is

    var disk: any RecordLog { state.withLock { $0.disk } }
    /// Records that were not removed.
    var count: Int {
        let (disk, memory) = state.withLock { ($0.disk, $0.memory.count) }
        return disk.count + memory
    }
    /// Bytes of what was not removed, about.
    var byteCount: Int {
        let (disk, memory) = state.withLock { ($0.disk, $0.memory.byteCount) }
        return disk.byteCount + memory
    }
    /// Records that wait in memory because the disk refuses them.
    var spilled: Int { state.withLock { $0.memory.count } }
    /// Whether memory has room for a while, should the disk refuse; asking while it has none has `whenRoom` called.
    var hasRoom: Bool {
        state.withLock { state in
            state.isRoomWanted = state.memory.count >= Limits.memoryEvents / 2
            return !state.isRoomWanted
        }
    }
    /// Why the disk refuses records right now; nil while it takes them.
    var failure: (any Error)? { state.withLock { $0.failure } }
    /// Why reading does not go on; nil while it does.
    var readFailure: (any Error)? { state.withLock { $0.readFailure } }
    /// Whether what is appended outlives the process.
    var isLasting: Bool { state.withLock { $0.disk.isLasting && !$0.isSpilling } }
    /// Whether all of it is where it is meant to be.
    var isSettled: Bool { state.withLock { !$0.disk.isLasting || $0.memory.isEmpty } }
    var epoch: UInt64 { disk.epoch }
    var snapshot: [UInt8]? {
        let (owed, disk) = state.withLock { ($0.owedSnapshot, $0.disk) }
        return owed ?? disk.snapshot
    }
    /// The place behind the newest record.
    var end: LogPosition {
        state.withLock { state in
            LogPosition(sequence: max(state.disk.lastSequence, state.isSpilling ? state.memory.next - 1 : 0))
        }
    }
    /// The origin of the newest record that has one, wherever it is.
    var newestOrigin: RecordOrigin? {
        let (memory, disk) = state.withLock { ($0.memory.newestOrigin, $0.disk) }
        return memory ?? disk.lastOrigin
    }
    /// The place up to which everything was removed.
    var start: LogPosition { LogPosition(sequence: disk.removedThrough) }

    /// Grows whenever records go before a reader has removed them: what the reader keeps may be among them.
    var withdrawals: Int {
        state.withLock { $0.withdrawals + $0.disk.withdrawals }
    }

    /// Whether a record that was read is still here.
    func contains(_ sequence: UInt64) -> Bool {
        state.withLock { $0.memory.contains(sequence) || $0.disk.contains(sequence) }
    }

    // MARK: Appending

    /// Appends a record; it is in memory only when the disk refuses it.
    /// - Parameter event: what the payload says, for a reader close behind.
    func append(
        _ payload: [UInt8], handingOver event: InboxRecord? = nil, origin: RecordOrigin? = nil,
        snapshot: [UInt8]? = nil
    ) {
        guard let disk = beginAppend(payload, origin, snapshot) else { return }
        do {
            if let event {
                _ = try disk.append(payload, handingOver: event, snapshot: snapshot)
            } else {
                _ = try disk.append(payload, origin: origin, snapshot: snapshot)
            }
            endAppend()
        } catch {
            refused(error) { state in
                if let snapshot { state.owedSnapshot = snapshot }
                return state.memory.append(payload, origin: origin) ? 1 : 0
            }
        }
    }

    /// Appends records in one step; those that the disk refuses are in memory.
    func append(_ group: JournalGroup) {
        var group = group
        let count = group.count
        let (disk, dropped) = state.withLock { state -> ((any RecordLog)?, Int) in
            if state.isSpilling { return (nil, state.spill(&group)) }
            state.inFlight += count
            return (state.disk, 0)
        }
        if dropped > 0 { onDrop(dropped) }
        guard let disk else { return }
        do {
            try disk.append(&group)
            endAppend(count)
        } catch {
            refused(error, count) { $0.spill(&group) }
        }
    }

    /// Replaces the snapshot without a record.
    func append(snapshot: [UInt8]) {
        let disk = state.withLock { state -> (any RecordLog)? in
            guard !state.isSpilling else {
                state.owedSnapshot = snapshot
                return nil
            }
            state.inFlight += 1
            return state.disk
        }
        guard let disk else { return }
        do {
            try disk.append(snapshot: snapshot)
            endAppend()
        } catch {
            refused(error) { state in
                state.owedSnapshot = snapshot
                return 0
            }
        }
    }

    /// The disk to append to; nil when the record went to memory.
    private func beginAppend(
        _ payload: [UInt8], _ origin: RecordOrigin?, _ snapshot: [UInt8]?
    ) -> (any RecordLog)? {
        let (disk, dropped) = state.withLock { state -> ((any RecordLog)?, Bool) in
            guard state.isSpilling else {
                state.inFlight += 1
                return (state.disk, false)
            }
            if let snapshot { state.owedSnapshot = snapshot }
            let dropped = state.memory.append(payload, origin: origin)
            // Two for one: memory empties even while more is tracked than the queue alone could move.
            if state.isReturning { for _ in 0..<2 { _ = Self.moveOne(&state) } }
            return (nil, dropped)
        }
        if dropped { onDrop(1) }
        return disk
    }

    private func endAppend(_ count: Int = 1) {
        let drained = state.withLock { $0.endInFlight(count) }
        drained?.signal()
    }

    /// - Parameter keep: puts what was refused into memory, and says how many older records had to go for it.
    private func refused(_ error: any Error, _ count: Int = 1, _ keep: (inout State) -> Int) {
        let (isFirst, dropped, drained) = state.withLock { state in
            let isFirst = state.failure == nil
            state.failure = error
            state.isReturning = false
            state.beginSpilling(slack: Self.slack)
            let dropped = keep(&state)
            return (isFirst, dropped, state.endInFlight(count))
        }
        drained?.signal()
        if dropped > 0 { onDrop(dropped) }
        scheduleRetry()
        if isFirst {
            let reason = StorageState.Reason(error)
            report(
                Diagnostic(
                    .storage, "the \(name) cannot be written, events wait in memory: \(error)",
                    reason: .init(reason)))
        }
    }

    // MARK: Reading and removing

    /// Records between two places, oldest first, and the place behind them; without records, the end of what there is.
    ///
    /// Nothing when they cannot be read now; `whenReadable` is then told when to try again.
    func read(
        after position: LogPosition, through bound: LogPosition = LogPosition(sequence: .max), maxBytes: Int,
        maxCount: Int
    ) -> (records: [LogRecord], end: LogPosition) {
        // What is read now may leave the device, and what was given up before it must not come after it.
        finishPurge()
        while true {
            let disk = disk
            let last = disk.lastSequence
            do {
                let records = try disk.read(
                    after: position.sequence, through: bound.sequence, maxBytes: maxBytes, maxCount: maxCount)
                readSucceeded()
                if let end = records.last?.position { return (records, end) }
            } catch {
                // Another disk may have come in its place just now.
                if self.disk !== disk { continue }
                readFailed(error)
                return ([], position)
            }
            let found = state.withLock { state -> (records: [LogRecord], end: LogPosition)? in
                // What came to the disk meanwhile stands before what is in memory.
                guard state.disk === disk, disk.lastSequence == last else { return nil }
                guard !state.isSpilling || state.inFlight == 0 else { return ([], position) }
                let records = state.memory.read(
                    after: position.sequence, through: bound.sequence, maxBytes: maxBytes, maxCount: maxCount)
                let end = LogPosition(sequence: max(last, state.isSpilling ? state.memory.next - 1 : 0))
                return (records, records.last?.position ?? position.merged(with: end.bounded(by: bound)))
            }
            if let found { return found }
        }
    }

    /// Forgets everything up to a place.
    func remove(through position: LogPosition, mark: [UInt8]? = nil) {
        let disk = state.withLock { state in
            state.memory.remove(through: position.sequence)
            return state.disk
        }
        tellRoom()
        guard mark != nil || position.sequence > disk.removedThrough else { return }
        do {
            try disk.removeThrough(position.sequence, mark: mark)
            state.withLock { $0.removeFailed = false }
        } catch {
            let isFirst = state.withLock { state in
                defer { state.removeFailed = true }
                return !state.removeFailed
            }
            guard isFirst else { return }
            report(Diagnostic(.storage, "the \(name) cannot give up what was delivered: \(error)"))
        }
    }

    /// Forgets what waits in memory up to a place; what is on disk stays there.
    func removeSpilled(through position: LogPosition) {
        state.withLock { $0.memory.remove(through: position.sequence) }
        tellRoom()
    }

    /// Forgets everything that was appended before, for good; the snapshot stays.
    ///
    /// What the disk cannot give up now is read no more, and is given up as soon as the disk takes note of it.
    func purge() {
        let disk = state.withLock { state in
            state.memory.remove(through: .max)
            return state.disk
        }
        // In the end, so that who sees it reads nothing of what was given up.
        defer { state.withLock { $0.withdrawals += 1 } }
        do {
            try disk.purge()
        } catch {
            report(Self.notPurged(name, error))
            if disk.owesPurge { scheduleRetry() }
        }
    }

    /// Whether what was given up would come back with the next process; not when its files were deleted meanwhile.
    var owesPurge: Bool {
        let disk = disk
        return disk.owesPurge && disk.isAttached
    }

    /// Ends a purge that the disk could not take note of.
    /// - Returns: whether there is none any more.
    @discardableResult
    private func finishPurge() -> Bool {
        let disk = disk
        guard disk.owesPurge else { return true }
        do {
            try disk.finishPurge()
            report(Diagnostic(.storage, "the \(name) is deleted now", reason: .recovered))
            return true
        } catch {
            return false
        }
    }

    static func notPurged(_ name: String, _ error: any Error) -> Diagnostic {
        Diagnostic(
            .storage, "the \(name) cannot be deleted: \(error)", reason: .init(StorageState.Reason(error)))
    }

    /// Makes sure that no later record gets a sequence up to that one.
    ///
    /// A power failure may take the newest records of the inbox, but not what the outbox knows of them.
    func reserve(through sequence: UInt64) {
        let disk = disk
        guard disk.lastSequence < sequence else { return }
        do {
            try disk.reserve(through: sequence)
        } catch {
            state.withLock { state in
                state.inFlight += 1
                state.memory.begin(at: sequence + 1)
            }
            refused(error) { _ in 0 }
        }
    }

    /// Keeps what is being sent from being dropped for want of room; nil lets go.
    func hold(through position: LogPosition?) {
        let disk = state.withLock { state in
            state.held = position
            return state.disk
        }
        disk.hold(through: position?.sequence)
    }

    func prepare() { disk.prepare() }

    /// Brings what was appended to the medium.
    /// - Returns: whether that succeeded.
    func sync() -> Bool {
        let disk = disk
        do {
            try disk.sync()
            state.withLock { $0.syncFailed = false }
            return true
        } catch {
            let isFirst = state.withLock { state in
                defer { state.syncFailed = true }
                return !state.syncFailed && !state.isClosed && state.disk === disk
            }
            if isFirst {
                report(
                    Diagnostic(
                        .storage, "the \(name) may not survive the power going out: \(error)",
                        reason: .init(StorageState.Reason(error))))
            }
            return false
        }
    }

    /// Ends the use of files. What waits in memory has its last chance to reach the disk.
    func close() {
        finishPurge()
        let disk = state.withLock { state in
            while Self.moveOne(&state) == .moved {}
            state.isClosed = true
            return state.disk
        }
        disk.close()
    }

    private func tellRoom() {
        let isNews = state.withLock { state in
            guard state.isRoomWanted, state.memory.count < Limits.memoryEvents / 2 else { return false }
            state.isRoomWanted = false
            return true
        }
        if isNews { roomAgain.withLock { $0 }?() }
    }

    private func readFailed(_ error: any Error) {
        let (isFirst, pause, isClosed) = state.withLock { state in
            let isFirst = state.readFailure == nil
            state.readFailure = error
            state.readRetries += 1
            return (isFirst, pow(2, Double(min(state.readRetries, 7) - 1)), state.isClosed)
        }
        guard !isClosed else { return }
        time.schedule(after: min(Self.longestReadPause, Self.retryInterval * pause), on: queue) { [weak self] in
            self?.readAgain.withLock { $0 }?()
        }
        guard isFirst else { return }
        report(
            Diagnostic(
                .storage, "the \(name) cannot be read now, it is tried again: \(error)",
                reason: .init(StorageState.Reason(error))))
    }

    private func readSucceeded() {
        let wasFailing = state.withLock { state in
            defer {
                state.readFailure = nil
                state.readRetries = 0
            }
            return state.readFailure != nil
        }
        if wasFailing { report(Diagnostic(.storage, "the \(name) can be read again", reason: .recovered)) }
    }

    // MARK: Back to the disk

    /// What became of an attempt to bring a record to the disk.
    private enum Move { case moved, done, failed }

    /// Moves what waits in memory to the disk; nothing is held longer than one write takes.
    func returnToDisk() {
        let (disk, isNeeded) = state.withLock { ($0.disk, $0.isSpilling && !$0.isClosed) }
        // A disk whose files were deleted takes records without an error, and they are lost.
        if isNeeded, !disk.isAttached {
            repair.withLock { $0 }?()
            return scheduleRetry()
        }
        // First, so that what was given up does not outlive the process together with what came after it.
        if !finishPurge() { scheduleRetry() }
        while true {
            switch state.withLock({ Self.moveOne(&$0) }) {
            case .moved: continue
            case .failed: return scheduleRetry()
            case .done:
                let wasFailing = state.withLock { state in
                    defer { if !state.isSpilling { state.failure = nil } }
                    return !state.isSpilling && state.failure != nil
                }
                if wasFailing {
                    report(Diagnostic(.storage, "the \(name) is written to disk again", reason: .recovered))
                    readAgain.withLock { $0 }?()
                }
                tellRoom()
                return
            }
        }
    }

    /// Brings the oldest record in memory to the disk. When none is left, appends go to the disk again.
    private static func moveOne(_ state: inout State) -> Move {
        guard state.isSpilling, !state.isClosed else { return .done }
        guard !state.isExchanging, state.inFlight == 0 else { return .failed }
        do {
            let first = state.memory.first
            if state.disk.lastSequence + 1 < first { try state.disk.reserve(through: first - 1) }
            if let snapshot = state.owedSnapshot {
                try state.disk.append(snapshot: snapshot)
                state.owedSnapshot = nil
            }
            guard let record = state.memory.read(after: 0, maxBytes: 0, maxCount: 1).first else {
                state.isSpilling = false
                state.isReturning = false
                return .done
            }
            _ = try state.disk.append(record.payload, origin: record.origin, snapshot: nil)
            state.memory.removeFirst()
            state.isReturning = true
            return .moved
        } catch {
            state.failure = error
            state.isReturning = false
            return .failed
        }
    }

    func scheduleRetry() {
        let isNeeded = state.withLock { state in
            defer { state.isRetryScheduled = true }
            return !state.isRetryScheduled && !state.isClosed
        }
        guard isNeeded else { return }
        time.schedule(after: Self.retryInterval, on: queue) { [weak self] in
            self?.state.withLock { $0.isRetryScheduled = false }
            self?.returnToDisk()
        }
    }
}

extension SpillingLog.State {
    mutating func endInFlight(_ count: Int) -> DispatchSemaphore? {
        inFlight -= count
        guard inFlight == 0 else { return nil }
        defer { drained = nil }
        return drained
    }

    /// Puts records into memory; returns how many older ones had to go for them.
    mutating func spill(_ group: inout JournalGroup) -> Int {
        var dropped = 0
        while let record = group.first {
            if memory.append(record.payload, origin: record.tag.map(RecordOrigin.init)) { dropped += 1 }
            group.removeFirst(1)
        }
        return dropped
    }

    /// From now on appends go to memory, numbered so that whatever is on its way to the disk still comes before.
    mutating func beginSpilling(slack: UInt64) {
        guard !isSpilling else { return }
        isSpilling = true
        memory.begin(at: disk.lastSequence + 1 + UInt64(max(inFlight, 0)) + slack)
    }
}
