import Dispatch
import Foundation
import TributaryJournal

/// One queue of events: an inbox, the outbox for processed events, and the uploader that sends them.
///
/// A client has a lane of its own, and empties those that ended processes left. Records never move between lanes.
///
/// Unchecked because what changes is touched on the pipeline's executor only, or stands behind a lock.
final class Lane: @unchecked Sendable {
    /// How far the executor is, for everybody.
    private struct Progress {
        var position: LogPosition
        var gathered: Int
    }

    /// Whether this client's own calls go here.
    let isOwn: Bool
    let inbox: SpillingLog
    let outbox: SpillingLog
    let deadLetters: SwitchedLog
    let uploader: Uploader
    let store: LaneStore
    private let time: any TimeSource
    private let report: @Sendable (Diagnostic) -> Void

    /// How far the inbox was processed.
    var position: LogPosition {
        didSet {
            let gathered = gathered.count
            shared.withLock { $0 = Progress(position: position, gathered: gathered) }
        }
    }
    /// What goes into the outbox with the next write. It is still in the inbox, and counts as waiting in the outbox.
    private var gathered = JournalGroup()
    private var isGathering = false
    /// How many records the outbox may have by the last division of the lane's room.
    private var outboxRecords = 0
    /// The newest inbox record whose event was in the outbox when the lane was opened: the server does not get it again.
    let handedOver: UInt64
    /// Events that device-mode destinations still have to deal with, and the places before them.
    private var unfinished = FIFO<(event: Countdown, before: LogPosition)>()
    /// Events that a source stage has not decided on yet.
    var deferred: DeferredEvents
    /// Events that were processed since the place in the inbox was written down.
    var uncommitted = 0
    /// How much it may hold, which depends on what other lanes of the write key hold.
    let bounds: LockBox<JournalBounds>
    private var nextCheck: TimeInterval
    private let shared: LockBox<Progress>
    private let sharedNumber: LockBox<UInt64>
    private let isClosed = LockBox(false)
    private let onWrite = LockBox<(@Sendable () -> Void)?>(nil)
    /// How far the inbox is given up after the next sync; nil when nothing waits for it. Only with an interval: otherwise
    /// each write is on the medium when it returns, or nobody asked for that.
    private let awaitingSync = LockBox<LogPosition?>(nil)
    /// How far the inbox was given up, until the outbox is as well.
    private let purged = LockBox<LogPosition?>(nil)

    init(
        _ files: LaneFiles, isOwn: Bool, inbox: SpillingLog, outbox: SpillingLog, uploader: Uploader,
        deadLetters: SwitchedLog, store: LaneStore
    ) {
        self.isOwn = isOwn
        self.inbox = inbox
        self.outbox = outbox
        self.uploader = uploader
        self.deadLetters = deadLetters
        self.store = store
        time = store.values.time
        report = store.report
        sharedNumber = LockBox(files.number)
        bounds = LockBox(store.values.storageLimits)
        handedOver = Self.handedOver(files)
        position = inbox.start
        shared = LockBox(Progress(position: position, gathered: 0))
        nextCheck = time.uptime + Limits.storageCheckInterval
        deferred = DeferredEvents(opened: inbox.end, processedBefore: max(handedOver, inbox.start.sequence))
        inbox.reserve(through: handedOver)
    }

    /// The newest inbox record whose event is already in the outbox or beyond.
    private static func handedOver(_ files: LaneFiles) -> UInt64 {
        [files.outbox.lastOrigin, RecordOrigin(bytes: files.outbox.mark)]
            .compactMap { $0 }
            .filter { $0.lane == files.number && $0.epoch == files.inbox.epoch }
            .map(\.sequence).max() ?? 0
    }

    /// The number in the name of its folder.
    var number: UInt64 { sharedNumber.withLock { $0 } }

    /// Events in the inbox that have not been processed.
    var unprocessed: Int {
        let (end, position) = (inbox.end.sequence, max(handedOver, shared.withLock { $0.position.sequence }))
        return min(Int(clamping: end - min(end, position)), inbox.count)
    }

    /// Events that were processed and not sent.
    var unsent: Int { shared.withLock { $0.gathered } + outbox.count }

    /// Whether nothing in the inbox waits to be processed. It never looks at files.
    var isProcessed: Bool { shared.withLock { $0.position }.isAtOrAfter(inbox.end) }

    /// What waits here.
    var state: StorageState.Lane {
        StorageState.Lane(
            number: Int(clamping: number), isOwn: isOwn, unprocessed: unprocessed, unsent: unsent,
            bytes: inbox.byteCount + outbox.byteCount,
            inMemory: inbox.disk.isLasting ? inbox.spilled + outbox.spilled : unprocessed + unsent)
    }

    /// Whether events are kept apart here until the user decides.
    var hasPendingFiles: Bool { store.hasPending(number) }

    /// The log for them.
    /// - Throws: when it cannot be read now.
    func openReadablePending() throws -> SpillingLog {
        try store.readablePending(number, isLasting: inbox.disk.isLasting)
    }

    /// The log for them.
    func openPending() -> SpillingLog { store.pending(number, isLasting: inbox.disk.isLasting) }

    // MARK: On the executor

    /// Where an inbox record stands for good.
    func origin(of record: LogRecord) -> RecordOrigin? {
        let epoch = inbox.epoch
        return epoch == 0 ? nil : RecordOrigin(lane: number, epoch: epoch, sequence: record.sequence)
    }

    /// Puts an event into the outbox, together with others of the same turn.
    func send(_ payload: [UInt8], origin: RecordOrigin?) {
        do {
            try gathered.add(payload, tag: origin?.tag)
        } catch {
            // The disk's answer would be the same; there it is told.
            outbox.append(payload, origin: origin)
        }
        if !isGathering { writeOut() }
    }

    /// Events come one after the other: what they become is written together.
    func gather() { isGathering = true }

    /// Ends that.
    func endGathering() {
        isGathering = false
        writeOut()
    }

    /// Puts what was gathered into the outbox.
    func writeOut() {
        guard !gathered.isEmpty else { return }
        outbox.append(gathered)
        gathered.removeAll()
        shared.withLock { $0.gathered = 0 }
    }

    /// Whether processed events have somewhere to go: while the outbox is full in memory, they wait in the inbox.
    var hasRoom: Bool { outbox.hasRoom }

    /// Writes down how far the inbox was read, unless that would give up what is only in memory yet.
    ///
    /// An inbox that is refused by its disk right now still has on it what was tracked before; what it has in memory is
    /// no safer there than in the outbox's memory.
    func commit() {
        writeOut()
        guard uncommitted > 0 else { return }
        guard outbox.isSettled || !inbox.disk.isLasting else {
            return inbox.removeSpilled(through: deferred.limit(watermark))
        }
        write(deferred.takeCarried(watermark))
        // What was carried is to be as safe as it was.
        guard deferred.isEmpty || inbox.isSettled else { return }
        uncommitted = 0
        let place = deferred.limit(watermark)
        if isSyncedByTimer { awaitingSync.withLock { $0 = place } } else { inbox.remove(through: place) }
    }

    private var isSyncedByTimer: Bool { if case .interval = store.values.durability { true } else { false } }

    /// Brings everything to the medium, then gives up the inbox as far as it was processed. In the other order a power cut
    /// could take an event from both: the mark of the inbox would be on the medium, and the record in the outbox not.
    private func sync() {
        let place = takeAwaitingSync()
        let isInboxSynced = inbox.sync()
        let isOutboxSynced = outbox.sync()
        guard let place else { return }
        guard isInboxSynced, isOutboxSynced else { return awaitingSync.withLock { $0 = $0 ?? place } }
        inbox.remove(through: place)
    }

    private func takeAwaitingSync() -> LogPosition? {
        awaitingSync.withLock { place in
            defer { place = nil }
            return place
        }
    }

    /// Gives up the inbox before its turn, because there is no room. When the medium takes nothing, `sync` has said so, and
    /// no event may go because of that.
    private func giveUpInbox() {
        commit()
        guard isSyncedByTimer else { return }
        sync()
        if let place = takeAwaitingSync() { inbox.remove(through: place) }
    }

    /// Keeps an event that a source stage has not decided on, behind the record with which it was tracked.
    /// - Returns: false when there are too many.
    func keep(_ record: InboxRecord, tracked: UInt64, isRepetition: Bool) -> Bool {
        let kept = InboxRecord(form: .deferred, trackedAt: record.trackedAt, event: record.event, tracked: tracked)
        switch deferred.add(kept, tracked: tracked, isRepetition: isRepetition) {
        case .kept:
            if !isRepetition { write([kept]) }
            return true
        case .refused(let isNews):
            if isNews {
                report(
                    Diagnostic(
                        .storage,
                        "\(Limits.deferredEvents) events wait for middleware to call next: "
                            + "those that come now do not survive the process until it does"))
            }
            return false
        }
    }

    private func write(_ records: [InboxRecord]) {
        guard !records.isEmpty else { return }
        for record in records { inbox.append(record.encoded, handingOver: record) }
        onWrite.withLock { $0 }?()
    }

    /// What is called when the lane has written into its inbox itself.
    func whenWritten(_ action: @escaping @Sendable () -> Void) { onWrite.withLock { $0 = action } }

    /// Keeps the event behind the present position in the inbox until its destinations have dealt with it.
    func keep(until event: Countdown) { unfinished.append((event, position)) }

    /// Whether every destination has dealt with everything that was processed.
    var isFinished: Bool {
        dropFinished()
        return unfinished.isEmpty && deferred.isEmpty
    }

    /// How far the inbox is needed by nobody any more.
    private var watermark: LogPosition {
        dropFinished()
        return unfinished.first?.before ?? position
    }

    private func dropFinished() {
        while let first = unfinished.first, first.event.isOver { _ = unfinished.popFirst() }
    }

    /// Work that callers and the uploader are to be spared.
    func prepare() {
        share()
        inbox.prepare()
        outbox.prepare()
    }

    /// Divides the lane's room between inbox and outbox, and makes sure that nothing counts as lost that is processed.
    /// - Parameter moving: how many events are about to go from the inbox to the outbox.
    private func share(moving: Int = 0) {
        let bounds = bounds.withLock { $0 }
        let (waiting, sending) = (inbox.disk, outbox.disk)
        // Bytes are what lies on disk. Records are events: one that is in the outbox already counts there only.
        let parts = StorageShare.split(
            bounds, inboxBytes: waiting.byteCount, inboxRecords: max(min(unprocessed, waiting.count) - moving, 0),
            outboxBytes: sending.byteCount, outboxRecords: sending.count)
        if waiting.byteCount > parts.inbox.bytes || waiting.count > parts.inbox.records { giveUpInbox() }
        waiting.setBounds(parts.inbox)
        sending.setBounds(parts.outbox)
        outboxRecords = parts.outbox.records
    }

    /// Lets the outbox take events that leave the inbox, so that none goes for those that only change their place.
    func makeRoom(for count: Int) {
        if outbox.disk.count + count > outboxRecords { share(moving: count) }
    }

    /// The same and more, to be called when there is nothing else to do.
    func maintain() {
        if time.uptime >= nextCheck { check() } else { prepare() }
    }

    /// Looks whether the files are still there.
    func check() {
        nextCheck = time.uptime + Limits.storageCheckInterval
        repair()
        prepare()
    }

    /// Brings everything to the medium every so many seconds, away from callers and plugins.
    func beginSyncing(every seconds: TimeInterval) {
        time.schedule(after: seconds, on: store.queue) { [weak self] in
            guard let self, !isClosed.withLock({ $0 }) else { return }
            sync()
            beginSyncing(every: seconds)
        }
    }

    func close() {
        isClosed.withLock { $0 = true }
        if isSyncedByTimer { sync() }
        inbox.close()
        outbox.close()
        deadLetters.close()
    }

    // MARK: Purging

    /// Gives up what waits in the inbox. Safe from any thread.
    func beginPurge() {
        let end = inbox.end
        purged.withLock { $0 = end }
        inbox.purge()
    }

    /// Gives up what came from there; returns the place up to which nothing is to be processed any more.
    func finishPurge() -> LogPosition? {
        let end = purged.withLock { purged in
            defer { purged = nil }
            return purged
        }
        guard let end else { return nil }
        purgeProcessed()
        // The place is written down, so that no copy that was made meanwhile comes back.
        if deferred.purge(through: end) { uncommitted += 1 }
        return end
    }

    /// Gives up what was processed and not sent. Safe from any thread.
    func purgeProcessed() {
        outbox.purge()
        do {
            // Most lanes never have any, and then there is nothing to make for them.
            if deadLetters.isOpen || store.hasDeadLetters(number) { try deadLetters.purge() }
        } catch {
            report(SpillingLog.notPurged("dead letters", error))
            finishPurgeOfDeadLetters()
        }
    }

    private func finishPurgeOfDeadLetters() {
        guard deadLetters.owesPurge else { return }
        time.schedule(after: SpillingLog.retryInterval, on: store.queue) { [weak self] in
            guard let self, !isClosed.withLock({ $0 }) else { return }
            if (try? deadLetters.finishPurge()) == nil { finishPurgeOfDeadLetters() }
        }
    }

    /// Whether what was given up would come back if the lane were closed now.
    var owesPurge: Bool { inbox.owesPurge || outbox.owesPurge || deadLetters.owesPurge }

    // MARK: Deleted files

    /// Makes the files again that were deleted under the client, with everything that was not yet processed or sent.
    func repair() {
        let isIntact = (inbox.disk.isAttached, outbox.disk.isAttached, deadLetters.isAttached)
        guard isIntact != (true, true, true) else { return }
        let wasLasting = inbox.disk.isLasting
        do {
            // Most often everything is gone, and the place is free again.
            if wasLasting, let same = try store.openEmpty(number, inbox: !isIntact.0, outbox: !isIntact.1) {
                // Dead letters that are where they belong stay: nobody can open them a second time. They were not deleted,
                // or who asked for them opened them in the new folder just now.
                try move(to: same, withDeadLetters: !deadLetters.isAttached)
            } else if let other = try store.openEmpty() {
                try move(to: other, withDeadLetters: true)
            } else {
                return
            }
            report(Diagnostic(.storage, wasLasting ? Self.deleted : Self.usable, reason: .recovered))
        } catch {
            guard wasLasting else { return store.openingFailure.withLock { $0 = error } }
            report(
                Diagnostic(
                    .storage, "the files of lane \(number) were deleted and cannot be made anew: \(error)",
                    reason: .init(StorageState.Reason.missing)))
        }
    }

    private static let deleted = "files were deleted under the client: they are made anew, with what was not yet sent"
    private static let usable = "the disk can be used now: what waited in memory is on it"

    private func move(to files: LaneFiles.Replacements, withDeadLetters: Bool) throws {
        sharedNumber.withLock { $0 = files.number }
        if let log = files.inbox {
            try inbox.exchange(for: log, after: position)
            write(deferred.takeRead())
        }
        if let log = files.outbox { try outbox.exchange(for: log, after: LogPosition(sequence: 0)) }
        if withDeadLetters { try deadLetters.exchange(for: files.deadLetters) }
    }
}

extension Lane {
    /// Why what is tracked now does not survive the end of the process; nil when it does.
    var weakness: (reason: StorageState.Reason?, detail: String?) {
        if inbox.isLasting { return (nil, nil) }
        if let failure = inbox.failure { return (StorageState.Reason(failure), "\(failure)") }
        if inbox.disk.isLasting { return (.missing, "the files are being made anew") }
        guard let error = store.openingFailure.withLock({ $0 }) else {
            return (.memoryMode, "the configuration keeps events in memory")
        }
        return (StorageState.Reason(error), "\(error)")
    }
}
