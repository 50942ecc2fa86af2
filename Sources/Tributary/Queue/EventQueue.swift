import Dispatch
import Foundation
import TributaryJournal

/// The way of events to the server: an inbox, an outbox for processed events, and the uploader that sends them.
///
/// A client has an event queue of its own, and empties the queues of ended processes. Records never move between queues.
///
/// Unchecked because what changes is touched on the pipeline's executor only, or stands behind a lock.
final class EventQueue: @unchecked Sendable {
    /// How far the executor is, for all threads.
    private struct Progress {
        var position: UInt64
        var gathered = 0
    }

    /// Whether the calls of this client go here.
    let isOwn: Bool
    let inbox: FailoverLog
    let outbox: FailoverLog
    let deadLetters: DeadLetterLog
    let uploader: Uploader
    let directory: QueueDirectory
    private let time: any TimeSource
    private let report: @Sendable (Diagnostic) -> Void

    /// The newest record of the inbox that was processed.
    var position: UInt64 {
        didSet {
            let gathered = gathered.count
            shared.withLock { $0 = Progress(position: position, gathered: gathered) }
        }
    }
    /// What goes into the outbox with the next write. It is still in the inbox, and counts as waiting in the outbox.
    private var gathered = JournalGroup()
    private var isGathering = false
    /// How many records the outbox may have by the last division of the queue's room.
    private var outboxRecords = 0
    /// The newest inbox record whose event was in the outbox when the queue was opened: the server does not get it again.
    let handedOver: UInt64
    /// Events that device-mode destinations still have to deal with, and the newest record before each.
    private var unfinished = FIFO<(event: Countdown, before: UInt64)>()
    /// Events that a source stage has not decided on yet.
    var deferred: DeferredEvents
    /// Events that were processed since the place in the inbox was written down.
    var uncommitted = 0
    /// How much the queue may hold, which depends on what other queues of the write key hold.
    let bounds: LockBox<JournalBounds>
    /// The events that were written to the inbox a moment ago.
    let recentEvents = RecentEvents()
    private var nextCheck: TimeInterval
    private let shared: LockBox<Progress>
    private let sharedNumber: LockBox<UInt64>
    private let isClosed = LockBox(false)
    private let onWrite = LockBox<(@Sendable () -> Void)?>(nil)
    /// The newest inbox record that is given up after the next sync; nil when none waits for it. Only with an interval:
    /// otherwise each write is on the medium when it returns, or nobody asked for that.
    private let awaitingSync = LockBox<UInt64?>(nil)
    /// The newest record of the inbox that was purged, until the outbox is purged as well.
    private let purged = LockBox<UInt64?>(nil)

    init(_ logs: QueueLogs, isOwn: Bool, directory: QueueDirectory) {
        self.isOwn = isOwn
        self.directory = directory
        inbox = directory.log(QueueLogs.inboxName, logs.inbox)
        outbox = directory.log(QueueLogs.outboxName, logs.outbox)
        deadLetters = DeadLetterLog(capacity: directory.memoryCapacity, directory.host, logs.deadLetters)
        uploader = directory.uploader(outbox, deadLetters, of: logs.number)
        time = directory.values.time
        report = directory.report
        sharedNumber = LockBox(logs.number)
        bounds = LockBox(directory.values.storageLimits)
        handedOver = Self.handedOver(logs)
        position = inbox.start
        shared = LockBox(Progress(position: position))
        nextCheck = time.uptime + Limits.storageCheckInterval
        deferred = DeferredEvents(opened: inbox.end, processedBefore: max(handedOver, inbox.start))
        inbox.reserve(through: handedOver)
        // Nothing waits on disk, so the reader's place is known.
        if inbox.start >= inbox.end { recentEvents.passed(inbox.end) }
    }

    /// The newest inbox record whose event is already in the outbox or beyond.
    private static func handedOver(_ logs: QueueLogs) -> UInt64 {
        guard let inbox = logs.inbox?.head, let outbox = logs.outbox?.head else { return 0 }
        let known = [outbox.lastTag, JournalTag(bytes: outbox.mark)].compactMap { $0 }
        let own = known.filter { $0.log == logs.number && $0.epoch == inbox.epoch }
        return own.map(\.sequence).max() ?? 0
    }

    /// The number in the name of its folder.
    var number: UInt64 { sharedNumber.withLock { $0 } }

    /// Events in the inbox that have not been processed.
    var unprocessed: Int {
        let (end, position) = (inbox.end, max(handedOver, shared.withLock { $0.position }))
        return min(Int(clamping: end - min(end, position)), inbox.count)
    }

    /// Events that were processed and not sent.
    var unsent: Int { shared.withLock { $0.gathered } + outbox.count }

    /// Whether nothing in the inbox waits to be processed. It never looks at files.
    var isProcessed: Bool { shared.withLock { $0.position } >= inbox.end }

    /// What waits here.
    var state: StorageState.Queue {
        StorageState.Queue(
            number: Int(clamping: number), isOwn: isOwn, unprocessed: unprocessed, unsent: unsent,
            bytes: inbox.byteCount + outbox.byteCount,
            inMemory: inbox.hasDisk ? inbox.inMemory + outbox.inMemory : unprocessed + unsent)
    }

    /// Writes an event into the inbox, and before it a snapshot.
    func append(_ record: InboxRecord, snapshot: [UInt8]? = nil) {
        if let sequence = inbox.append(record.encoded, snapshot: snapshot) { recentEvents.put(record, at: sequence) }
    }

    // MARK: On the executor

    /// The next events of the inbox, and the newest record that was read; without events, the end of the inbox.
    func next(maxBytes: Int, maxCount: Int) -> (events: [QueuedEvent], end: UInt64) {
        inbox.finishPurge()
        // What was dropped or purged meanwhile is not in the inbox any more, so it must not come from elsewhere.
        recentEvents.passed(inbox.start)
        let recent = recentEvents.take(after: position, maxBytes: maxBytes, maxCount: maxCount)
        if let last = recent.last { return (recent, last.sequence) }
        let (records, end) = inbox.read(after: position, maxBytes: maxBytes, maxCount: maxCount)
        recentEvents.passed(records.last?.sequence ?? position)
        return (records.map { QueuedEvent(sequence: $0.sequence, payload: $0.payload) }, end)
    }

    /// The inbox that the records of a turn are in. Another disk takes its place only between two turns.
    struct InboxLife {
        let log: UInt64
        let epoch: UInt64

        /// The name of a record for good.
        func tag(of event: QueuedEvent) -> JournalTag { JournalTag(log: log, epoch: epoch, sequence: event.sequence) }
    }

    /// Nil where records do not outlive the process.
    var inboxLife: InboxLife? {
        let epoch = inbox.epoch
        return epoch == 0 ? nil : InboxLife(log: number, epoch: epoch)
    }

    /// Puts an event into the outbox, together with others of the same turn.
    func send(_ payload: [UInt8], tag: JournalTag?) {
        do {
            try gathered.add(payload, tag: tag)
        } catch {
            // The disk would answer the same, and that answer is reported.
            outbox.append(payload, tag: tag)
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
        guard outbox.isSettled || !inbox.hasDisk else {
            return inbox.removeSpilled(through: deferred.limit(watermark))
        }
        write(deferred.takeCarried(watermark))
        // What was carried is to be as safe as it was.
        guard deferred.isEmpty || inbox.isSettled else { return }
        uncommitted = 0
        let place = deferred.limit(watermark)
        if isSyncedByTimer { awaitingSync.withLock { $0 = place } } else { inbox.remove(through: place) }
    }

    private var isSyncedByTimer: Bool {
        if inbox.hasDisk, case .interval = directory.values.durability { true } else { false }
    }

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

    private func takeAwaitingSync() -> UInt64? {
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
        for record in records { append(record) }
        onWrite.withLock { $0 }?()
    }

    /// What is called when the queue has written into its inbox itself.
    func whenWritten(_ action: @escaping @Sendable () -> Void) { onWrite.withLock { $0 = action } }

    /// Keeps the event behind the present position in the inbox until its destinations have dealt with it.
    func keep(until event: Countdown) { unfinished.append((event, position)) }

    /// Whether every destination has dealt with everything that was processed.
    var isFinished: Bool {
        dropFinished()
        return unfinished.isEmpty && deferred.isEmpty
    }

    /// How far the inbox is needed by nobody any more.
    private var watermark: UInt64 {
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

    /// Divides the queue's room between inbox and outbox, and makes sure that nothing counts as lost that is processed.
    /// - Parameter moving: how many events are about to go from the inbox to the outbox.
    private func share(moving: Int = 0) {
        let bounds = bounds.withLock { $0 }
        guard inbox.hasDisk else { return }
        let (waiting, sending) = (inbox.sizeOnDisk, outbox.sizeOnDisk)
        // Bytes are what lies on disk. Records are events: one that is in the outbox already counts there only.
        let parts = QueueBudget.split(
            bounds, inboxBytes: waiting.bytes, inboxRecords: max(min(unprocessed, waiting.count) - moving, 0),
            outboxBytes: sending.bytes, outboxRecords: sending.count)
        if waiting.bytes > parts.inbox.bytes || waiting.count > parts.inbox.records { giveUpInbox() }
        inbox.setBounds(parts.inbox)
        outbox.setBounds(parts.outbox)
        outboxRecords = parts.outbox.records
    }

    /// Lets the outbox take events that leave the inbox, so that none goes for those that only change their place.
    func makeRoom(for count: Int) {
        if outbox.sizeOnDisk.count + count > outboxRecords { share(moving: count) }
    }

    /// The same and more, to be called when there is nothing else to do.
    func maintain() {
        if time.uptime >= nextCheck { check() } else { prepare() }
    }

    /// Looks whether the files are still there.
    func check() {
        nextCheck = time.uptime + Limits.storageCheckInterval
        repair()
        deadLetters.finishPurge()
        prepare()
    }

    /// Brings everything to the medium every so many seconds, away from callers and plugins.
    func beginSyncing(every seconds: TimeInterval) {
        time.schedule(after: seconds, on: directory.host.queue) { [weak self] in
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
    func finishPurge() -> UInt64? {
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

    /// Gives up everything, where nothing is processed.
    func purge() {
        beginPurge()
        _ = finishPurge()
    }

    /// Gives up what was processed and not sent. Safe from any thread.
    func purgeProcessed() {
        outbox.purge()
        // Most queues never have any, and then there is nothing to make for them.
        if deadLetters.isOpen || directory.hasDeadLetters(number) { deadLetters.purge() }
    }

    /// Whether what was given up would come back if the queue were closed now.
    var owesPurge: Bool { inbox.owesPurge || outbox.owesPurge || deadLetters.owesPurge }

    // MARK: Deleted files

    /// Makes the files again that were deleted under the client, with everything that was not yet processed or sent.
    func repair() {
        guard directory.location != nil else { return }
        let hadDisk = inbox.hasDisk
        let isIntact = (inbox.isAttached && hadDisk, outbox.isAttached && hadDisk, deadLetters.isAttached)
        guard isIntact != (true, true, true) else { return }
        do {
            // Most often everything is gone, and the place is free again.
            if hadDisk, let same = try directory.openEmpty(number, inbox: !isIntact.0, outbox: !isIntact.1) {
                // Dead letters whose files are there stay: nobody can open them a second time. They were not deleted, or
                // a caller that asked for them opened them in the new folder just now.
                try move(to: same, withDeadLetters: !deadLetters.isAttached)
            } else if let other = try directory.openEmpty() {
                try move(to: other, withDeadLetters: true)
            } else {
                return
            }
            report(Diagnostic(.storage, hadDisk ? Self.deleted : Self.usable, reason: .recovered))
        } catch {
            guard hadDisk else { return directory.openingFailure.withLock { $0 = error } }
            report(
                Diagnostic(
                    .storage, "the files of queue \(number) were deleted and cannot be made again: \(error)",
                    reason: .init(StorageState.Reason.missing)))
        }
    }

    private static let deleted = "files were deleted under the client: they are made again, with what was not yet sent"
    private static let usable = "the disk can be used now: what waited in memory is on it"

    private func move(to logs: QueueLogs, withDeadLetters: Bool) throws {
        if let log = logs.inbox {
            try inbox.exchange(for: log, after: position)
            sharedNumber.withLock { $0 = logs.number }
            write(deferred.takeRead())
        }
        if let log = logs.outbox { try outbox.exchange(for: log, after: 0) }
        if withDeadLetters { try deadLetters.move(to: logs.deadLetters) }
    }
}

extension EventQueue {
    /// Why what is tracked now does not survive the end of the process; nil when it does.
    var weakness: (reason: StorageState.Reason?, detail: String?) {
        if inbox.isLasting { return (nil, nil) }
        if let failure = inbox.failure { return (StorageState.Reason(failure), "\(failure)") }
        if inbox.hasDisk { return (.missing, "the files are being made again") }
        guard let error = directory.openingFailure.withLock({ $0 }) else {
            return (.memoryMode, "the configuration keeps events in memory")
        }
        return (StorageState.Reason(error), "\(error)")
    }
}
