import Dispatch
import Foundation
import TributaryJournal

/// A log that goes on in bounded memory while its disk refuses records, and returns to the disk when it can.
///
/// `FailoverMachine` decides; the log holds it behind a lock and writes what it asks for.
///
/// Unchecked because the state is behind its lock, everything else is constant or safe by itself.
final class FailoverLog: @unchecked Sendable {
    struct State {
        var disk: any RecordLog
        var machine: FailoverMachine
        /// What is being read or sent goes up to there; nil when nothing is.
        var held: LogPosition?
        /// Signalled when no write to the disk is under way.
        var drained: DispatchSemaphore?
        var reading = ReadRetries()
        /// What failed at its last try, so that a failure is reported once and not at each try.
        var failing: Set<Task> = []
    }

    /// What the disk does besides taking records.
    enum Task { case removing, syncing }

    /// Seconds between two looks whether the disk takes records again.
    static let retryInterval: TimeInterval = 1

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
        state = LockBox(State(disk: disk, machine: FailoverMachine(capacity: capacity)))
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
        let (disk, memory) = state.withLock { ($0.disk, $0.machine.memory.count) }
        return disk.count + memory
    }
    /// Bytes of what was not removed, about.
    var byteCount: Int {
        let (disk, memory) = state.withLock { ($0.disk, $0.machine.memory.byteCount) }
        return disk.byteCount + memory
    }
    /// Records that wait in memory because the disk refuses them.
    var spilled: Int { state.withLock { $0.machine.memory.count } }
    /// Whether memory has room for a while, should the disk refuse; asking while it has none has `whenRoom` called.
    var hasRoom: Bool { state.withLock { $0.machine.hasRoom() } }
    /// Why the disk refuses records right now; nil while it takes them.
    var failure: (any Error)? { state.withLock { $0.machine.failure } }
    /// Why reading does not go on; nil while it does.
    var readFailure: (any Error)? { state.withLock { $0.reading.failure } }
    /// Whether what is appended outlives the process.
    var isLasting: Bool { state.withLock { $0.disk.isLasting && !$0.machine.isSpilling } }
    /// Whether all of it is where it is meant to be.
    var isSettled: Bool { state.withLock { !$0.disk.isLasting || $0.machine.memory.isEmpty } }
    var epoch: UInt64 { disk.epoch }
    var snapshot: [UInt8]? {
        let (owed, disk) = state.withLock { ($0.machine.owedSnapshot, $0.disk) }
        return owed ?? disk.snapshot
    }
    /// The place behind the newest record.
    var end: LogPosition { state.withLock { LogPosition(sequence: $0.machine.end($0.disk.lastSequence)) } }
    /// The origin of the newest record that has one, wherever it is.
    var newestOrigin: RecordOrigin? {
        let (memory, disk) = state.withLock { ($0.machine.memory.newestOrigin, $0.disk) }
        return memory ?? disk.lastOrigin
    }
    /// The place up to which everything was removed.
    var start: LogPosition { LogPosition(sequence: disk.removedThrough) }

    /// Grows whenever records go before a reader has removed them: what the reader keeps may be among them.
    var withdrawals: Int { state.withLock { $0.machine.withdrawals + $0.disk.withdrawals } }

    /// Whether a record that was read is still here.
    func contains(_ sequence: UInt64) -> Bool {
        state.withLock { $0.machine.memory.contains(sequence) || $0.disk.contains(sequence) }
    }

    // MARK: Appending

    /// Appends a record; it is in memory only when the disk refuses it.
    /// - Parameter event: what the payload says, for a reader close behind.
    func append(
        _ payload: [UInt8], handingOver event: InboxRecord? = nil, origin: RecordOrigin? = nil,
        snapshot: [UInt8]? = nil
    ) {
        let disk = begin { state in
            let dropped = state.machine.append(payload, origin, snapshot: snapshot)
            // Two for one: memory empties even while more is tracked than the queue alone could move.
            if dropped != nil, state.machine.route == .returning { for _ in 0..<2 { _ = state.moveOne() } }
            return dropped
        }
        guard let disk else { return }
        do {
            if let event {
                _ = try disk.append(payload, handingOver: event, snapshot: snapshot)
            } else {
                _ = try disk.append(payload, origin: origin, snapshot: snapshot)
            }
            appended(1)
        } catch {
            refused(error) { state in
                state.machine.refused(error, last: state.disk.lastSequence, payload, origin, snapshot: snapshot)
            }
        }
    }

    /// Appends records in one step; those that the disk refuses are in memory.
    func append(_ group: JournalGroup) {
        var group = group
        let count = group.count
        guard let disk = begin({ $0.machine.append(&group) }) else { return }
        do {
            try disk.append(&group)
            appended(count)
        } catch {
            refused(error) { state in
                state.machine.refused(error, last: state.disk.lastSequence, &group, count: count)
            }
        }
    }

    /// Replaces the snapshot without a record.
    func append(snapshot: [UInt8]) {
        guard let disk = begin({ $0.machine.replaceSnapshot(snapshot) ? nil : 0 }) else { return }
        do {
            try disk.append(snapshot: snapshot)
            appended(1)
        } catch {
            refused(error) { $0.machine.refused(error, last: $0.disk.lastSequence, snapshot: snapshot) }
        }
    }

    /// - Parameter decide: nil when something is to be written to the disk; else how many older records went.
    /// - Returns: the disk to write to.
    private func begin(_ decide: (inout State) -> Int?) -> (any RecordLog)? {
        let (disk, dropped) = state.withLock { state -> ((any RecordLog)?, Int) in
            guard let dropped = decide(&state) else { return (state.disk, 0) }
            return (nil, dropped)
        }
        if dropped > 0 { onDrop(dropped) }
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
        if refusal.dropped > 0 { onDrop(refusal.dropped) }
        scheduleRetry()
        if refusal.isFirst {
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
                let found = state.machine.read(
                    after: position.sequence, through: bound.sequence, last: last, maxBytes: maxBytes,
                    maxCount: maxCount)
                return found.map { ($0.records, LogPosition(sequence: $0.end)) } ?? ([], position)
            }
            if let found { return found }
        }
    }

    /// Forgets everything up to a place.
    func remove(through position: LogPosition, mark: [UInt8]? = nil) {
        let disk = state.withLock { state in
            state.machine.remove(through: position.sequence)
            return state.disk
        }
        tellRoom()
        guard mark != nil || position.sequence > disk.removedThrough else { return }
        do {
            try disk.removeThrough(position.sequence, mark: mark)
            state.withLock { _ = $0.failing.remove(.removing) }
        } catch {
            guard state.withLock({ $0.failing.insert(.removing).inserted }) else { return }
            report(Diagnostic(.storage, "the \(name) cannot give up what was delivered: \(error)"))
        }
    }

    /// Forgets what waits in memory up to a place; what is on disk stays there.
    func removeSpilled(through position: LogPosition) {
        state.withLock { $0.machine.remove(through: position.sequence) }
        tellRoom()
    }

    /// Forgets everything that was appended before, for good; the snapshot stays.
    ///
    /// What the disk cannot give up now is read no more, and is given up as soon as the disk takes note of it.
    func purge() {
        let disk = state.withLock { state in
            state.machine.remove(through: .max)
            return state.disk
        }
        // In the end, so that who sees it reads nothing of what was given up.
        defer { state.withLock { $0.machine.withdrew() } }
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
            state.withLock { $0.machine.reserved(through: sequence) }
        } catch {
            refused(error) { state in
                state.machine.refusedReservation(error, last: state.disk.lastSequence, through: sequence)
            }
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
    func sync() {
        let disk = disk
        do {
            try disk.sync()
            state.withLock { _ = $0.failing.remove(.syncing) }
        } catch {
            let isFirst = state.withLock { state in
                state.failing.insert(.syncing).inserted && !state.machine.isClosed && state.disk === disk
            }
            guard isFirst else { return }
            report(
                Diagnostic(
                    .storage, "the \(name) may not survive the power going out: \(error)",
                    reason: .init(StorageState.Reason(error))))
        }
    }

    /// Ends the use of files. What waits in memory has its last chance to reach the disk.
    func close() {
        finishPurge()
        let disk = state.withLock { state in
            while state.moveOne() == .moved {}
            state.machine.close()
            return state.disk
        }
        disk.close()
    }

    func tellRoom() {
        if state.withLock({ $0.machine.takeRoom() }) { roomAgain.withLock { $0 }?() }
    }

    private func readFailed(_ error: any Error) {
        let (isFirst, pause, isClosed) = state.withLock { state in
            let (isFirst, pause) = state.reading.failed(error)
            return (isFirst, pause, state.machine.isClosed)
        }
        guard !isClosed else { return }
        time.schedule(after: pause, on: queue) { [weak self] in self?.readAgain.withLock { $0 }?() }
        guard isFirst else { return }
        report(
            Diagnostic(
                .storage, "the \(name) cannot be read now, it is tried again: \(error)",
                reason: .init(StorageState.Reason(error))))
    }

    private func readSucceeded() {
        guard state.withLock({ $0.reading.succeeded() }) else { return }
        report(Diagnostic(.storage, "the \(name) can be read again", reason: .recovered))
    }

    // MARK: Back to the disk

    /// Moves what waits in memory to the disk; nothing is held longer than one write takes.
    func returnToDisk() {
        let (disk, isNeeded) = state.withLock { ($0.disk, $0.machine.isSpilling && !$0.machine.isClosed) }
        // A disk whose files were deleted takes records without an error, and they are lost.
        if isNeeded, !disk.isAttached {
            repair.withLock { $0 }?()
            return scheduleRetry()
        }
        // First, so that what was given up does not outlive the process together with what came after it.
        if !finishPurge() { scheduleRetry() }
        while true {
            switch state.withLock({ $0.moveOne() }) {
            case .moved: continue
            case .failed: return scheduleRetry()
            case .done:
                if state.withLock({ $0.machine.recovered() }) {
                    report(Diagnostic(.storage, "the \(name) is written to disk again", reason: .recovered))
                    readAgain.withLock { $0 }?()
                }
                return tellRoom()
            }
        }
    }

    func scheduleRetry() {
        guard state.withLock({ $0.machine.wantsRetry() }) else { return }
        time.schedule(after: Self.retryInterval, on: queue) { [weak self] in
            self?.state.withLock { $0.machine.retryBegan() }
            self?.returnToDisk()
        }
    }
}

extension FailoverLog.State {
    /// What became of an attempt to bring a record to the disk.
    enum Move { case moved, done, failed }

    /// Brings the oldest record in memory to the disk. When none is left, appends go to the disk again.
    mutating func moveOne() -> Move {
        while true {
            let step = machine.nextStep(last: disk.lastSequence)
            do {
                switch step {
                case .none: return .done
                case .blocked: return .failed
                case .reserve(let sequence): try disk.reserve(through: sequence)
                case .snapshot(let snapshot): try disk.append(snapshot: snapshot)
                case .record(let payload, let origin): _ = try disk.append(payload, origin: origin, snapshot: nil)
                }
            } catch {
                machine.refusedStep(error)
                return .failed
            }
            machine.took(step)
            if case .record = step { return .moved }
        }
    }

    /// Who waits until no write to the disk is under way.
    mutating func takeDrained() -> DispatchSemaphore? {
        defer { drained = nil }
        return drained
    }
}
