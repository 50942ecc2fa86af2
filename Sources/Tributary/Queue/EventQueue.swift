import Dispatch
import Foundation
import TributaryJournal

/// The queue of events on their way to the server: an inbox, an outbox for processed events, and the uploader that
/// sends them.
///
/// A client has an event queue of its own, and empties the queues of ended processes. Records never move between
/// queues.
///
/// Unchecked because mutable state is only touched on the pipeline's executor or is behind a lock.
final class EventQueue: @unchecked Sendable {
    /// The progress of the executor, for all threads.
    private struct Progress {
        var position: UInt64
        var gathered = 0
    }

    /// What others do with the queue.
    struct Handlers {
        /// Called when the queue has written into its inbox itself.
        var written: @Sendable () -> Void = {}
        /// Called at each check of the files.
        var checked: @Sendable () -> Void = {}
        /// Writes other deleted files again, and returns their names. Called at each check of the files.
        var restoring: @Sendable () -> [String] = { [] }
        /// Called when the queue has prepared its logs.
        var prepared: @Sendable () -> Void = {}
    }

    /// Whether the events of this client's calls go here.
    let isOwn: Bool
    let inbox: FailoverLog
    let outbox: FailoverLog
    let deadLetters: DeadLetterLog
    let uploader: Uploader
    let directory: QueueDirectory
    private let time: any TimeSource
    private let report: @Sendable (Diagnostic) -> Void

    /// The sequence of the newest inbox record that was processed.
    var position: UInt64 {
        didSet {
            let gathered = gathered.count
            shared.withLock { $0 = Progress(position: position, gathered: gathered) }
        }
    }
    /// Events for the next write of the outbox. They are still in the inbox, and count as waiting in the outbox. Nothing
    /// calls back while it changes, so the check for simultaneous access at run time is switched off.
    @exclusivity(unchecked) private var gathered = JournalGroup()
    private var isGathering = false
    /// The most records that the outbox may have, from the last division of the queue's room.
    private var outboxRecords = 0
    /// The sequence of the newest inbox record with an event that was in the outbox when the queue was opened. The server
    /// does not get those events again.
    let handedOver: UInt64
    /// Events that device-mode destinations have not finished, each with the newest record before it.
    private var unfinished = FIFO<(event: Countdown, before: UInt64)>()
    /// Events that a source stage has not decided on yet.
    var deferred: DeferredEvents
    /// Events that were processed since the place in the inbox was stored.
    var uncommitted = 0
    /// The limits of the queue, which depend on how much other queues of the write key hold.
    let bounds: LockBox<JournalBounds>
    /// The events that were just written to the inbox.
    let recentEvents = RecentEvents()
    /// Taken events of a turn that ended early.
    private var left: [QueuedEvent] = []
    private var nextCheck: TimeInterval
    private let shared: LockBox<Progress>
    private let sharedNumber: LockBox<UInt64>
    private let isClosed = LockBox(false)
    private let handlers = LockBox(Handlers())
    /// Why deleted files cannot be made again, so that it is reported once.
    private var repairFailure: String?
    /// The newest inbox record to remove after the next sync; nil when there is none. Used only with
    /// `Durability.interval`: in the other modes a write needs no later sync.
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
        nextCheck = time.uptime + Limits.checkIntervalAtWork
        deferred = DeferredEvents(opened: inbox.end, processedBefore: max(handedOver, inbox.start))
        inbox.reserve(through: handedOver)
        // The outbox says what becomes of these events. A purge or a limit that removes them here must not count them.
        if handedOver > 0 { _ = inbox.take(through: handedOver) }
        // Nothing waits on disk, so the reader's place is known.
        if inbox.start >= inbox.end { recentEvents.passed(inbox.end) }
    }

    /// The newest inbox record with an event that is in the outbox or was already sent.
    private static func handedOver(_ logs: QueueLogs) -> UInt64 {
        guard let inbox = logs.inbox?.head, let outbox = logs.outbox?.head else { return 0 }
        let known = [outbox.lastTag, JournalTag(bytes: outbox.mark)].compactMap { $0 }
        let own = known.filter { $0.log == logs.number && $0.epoch == inbox.epoch }
        return own.map(\.sequence).max() ?? 0
    }

    /// The number in the name of the queue's folder.
    var number: UInt64 { sharedNumber.withLock { $0 } }

    /// Events in the inbox that have not been processed.
    var unprocessed: Int {
        inbox.count(after: max(handedOver, shared.withLock { $0.position }))
    }

    /// Events that were processed and not sent.
    var unsent: Int { shared.withLock { $0.gathered } + outbox.untaken() }

    /// Whether all events of the inbox are processed. This looks at no files.
    var isProcessed: Bool { shared.withLock { $0.position } >= inbox.end }

    /// The waiting events of this queue.
    var state: StorageState.Queue {
        StorageState.Queue(
            number: Int(clamping: number), isOwn: isOwn, unprocessed: unprocessed, unsent: unsent,
            bytes: inbox.byteCount + outbox.byteCount,
            inMemory: inbox.hasDisk ? inbox.inMemory + outbox.inMemory : unprocessed + unsent)
    }

    /// The largest event that is stored, in bytes. A larger one would push all others out of a log, and no server takes it.
    var largestEvent: Int {
        min(max(Limits.eventBytes, directory.values.storageLimits.bytes / 8), JournalLimits.payloadBytes)
    }

    /// Writes an event into the inbox, and before it a snapshot.
    func append(_ record: InboxRecord, snapshot: [UInt8]? = nil) {
        inbox.append(record.encoded, snapshot: snapshot) { recentEvents.put(record, at: $0) }
    }

    // MARK: On the executor

    /// Takes the next events of the inbox, and returns the sequence of the last record that was read. Without events,
    /// that is the end of the inbox.
    ///
    /// The log counts an event that its limits drop, or that a purge deletes, until the event is taken here. From then on
    /// the timeline does.
    func next(maxBytes: Int, maxCount: Int) -> (events: [QueuedEvent], end: UInt64) {
        var place = position
        while true {
            var (events, end) = left.isEmpty ? read(after: place, maxBytes, maxCount) : takeLeft()
            let isOver = events.isEmpty
            if let purged = finishPurge() { delete(through: purged, from: &events) }
            if isOver || !events.isEmpty { return (events, end) }
            // All of these were dropped or purged since they were written. Newer events may follow.
            place = end
        }
    }

    private func read(after place: UInt64, _ maxBytes: Int, _ maxCount: Int) -> (events: [QueuedEvent], end: UInt64) {
        inbox.finishPurge()
        var place = place
        while true {
            // Events that were dropped or purged meanwhile are not in the inbox any more, so the cache must forget them.
            recentEvents.passed(inbox.start)
            var events = recentEvents.take(after: place, maxBytes: maxBytes, maxCount: maxCount)
            if events.isEmpty {
                let (records, end) = inbox.read(after: place, maxBytes: maxBytes, maxCount: maxCount)
                recentEvents.passed(records.last?.sequence ?? place)
                guard !records.isEmpty else { return ([], end) }
                events = records.map { QueuedEvent(sequence: $0.sequence, payload: $0.payload) }
            }
            guard let last = events.last else { return ([], place) }
            let taken = inbox.take(through: last.sequence)
            events.removeAll { !taken.contains($0.sequence) }
            if !events.isEmpty { return (events, last.sequence) }
            place = last.sequence
        }
    }

    /// Keeps the taken events of a turn that ended early, for the next turn.
    func keepLeft(_ events: [QueuedEvent]) {
        if let last = events.last, last.sequence > position { left = events.filter { $0.sequence > position } }
    }

    private func takeLeft() -> (events: [QueuedEvent], end: UInt64) {
        defer { left = [] }
        return (left, left.last?.sequence ?? position)
    }

    /// Deletes taken events that a purge concerns.
    private func delete(through sequence: UInt64, from events: inout [QueuedEvent]) {
        let count = events.count
        events.removeAll { $0.sequence <= sequence }
        directory.host.count([.deleted: count - events.count], of: QueueLogs.inboxName)
    }

    /// The inbox from which the records of a turn come. It changes only between two turns.
    struct InboxLife {
        let log: UInt64
        let epoch: UInt64

        /// The permanent name of a record.
        func tag(of event: QueuedEvent) -> JournalTag { JournalTag(log: log, epoch: epoch, sequence: event.sequence) }
    }

    /// Nil when the records do not survive the process.
    var inboxLife: InboxLife? {
        let epoch = inbox.epoch
        return epoch == 0 ? nil : InboxLife(log: number, epoch: epoch)
    }

    /// Puts an event into the outbox, together with others of the same turn.
    func send(_ payload: [UInt8], tag: JournalTag?) {
        do {
            try gathered.add(payload, tag: tag)
        } catch {
            // The append fails for the same reason, and reports it.
            outbox.append(payload, tag: tag)
        }
        if !isGathering { writeOut() }
    }

    /// Begins a turn: its events are written to the outbox together.
    func gather() { isGathering = true }

    /// Ends a turn.
    func endGathering() {
        isGathering = false
        writeOut()
    }

    /// Writes the gathered events to the outbox.
    func writeOut() {
        guard !gathered.isEmpty else { return }
        outbox.append(gathered)
        gathered.removeAll()
        shared.withLock { $0.gathered = 0 }
    }

    /// Seconds between two checks of the files. Records that the disk refuses are only in memory, so the queue tries sooner.
    var checkInterval: TimeInterval {
        isLeased || weakness.reason != nil ? Limits.checkIntervalInTrouble : Limits.storageCheckInterval
    }

    private var isLeased: Bool { directory.location?.sharing != nil }

    /// Whether the files need a check now and then: the queue could lose or has to delete something, or has to renew a
    /// lease.
    var needsCare: Bool {
        guard directory.location != nil else { return false }
        return isLeased || unprocessed > 0 || unsent > 0 || !isFinished || owesPurge
            || weakness.reason != nil
    }

    /// Whether the processed events are on disk, if there is a disk.
    var isOutboxSettled: Bool { outbox.isSettled }

    /// Whether the outbox has room. While it is full in memory, events wait in the inbox.
    var hasRoom: Bool { outbox.hasRoom }

    /// Stores the place up to which the inbox was processed, unless that would remove events that are only in memory
    /// elsewhere.
    ///
    /// When the disk refuses the inbox, the older events of the inbox are still on disk. Its events in memory are no
    /// safer there than in the memory of the outbox, so they can be removed.
    func commit() {
        writeOut()
        guard uncommitted > 0 else { return }
        guard outbox.isSettled || !inbox.hasDisk else {
            return inbox.removeSpilled(through: deferred.limit(watermark))
        }
        write(deferred.takeCarried(watermark))
        // Records that were written again must be as safe as the old records.
        guard deferred.isEmpty || inbox.isSettled else { return }
        uncommitted = 0
        let place = deferred.limit(watermark)
        if isSyncedByTimer { awaitingSync.withLock { $0 = place } } else { inbox.remove(through: place) }
    }

    /// Stores the place at the end of the client. The outbox gets its last chance to reach the disk before that, because
    /// the place is only stored when the outbox is there.
    func commitAtEnd() {
        writeOut()
        outbox.settle()
        commit()
    }

    private var isSyncedByTimer: Bool {
        if inbox.hasDisk, case .interval = directory.values.durability { true } else { false }
    }

    /// Syncs both logs to the medium, then removes the inbox up to the stored place. In the other order, a power cut
    /// could lose an event: the mark of the inbox would be on the medium, and the record in the outbox would not.
    private func sync() {
        let place = awaitingSync.exchange(nil)
        let isInboxSynced = inbox.sync()
        let isOutboxSynced = outbox.sync()
        guard let place else { return }
        guard isInboxSynced, isOutboxSynced else { return awaitingSync.withLock { $0 = $0 ?? place } }
        inbox.remove(through: place)
    }

    /// Removes the processed part of the inbox early, because room is short. When the medium fails, `sync` has reported
    /// that; it must not cost other events their place.
    private func giveUpInbox() {
        commit()
        guard isSyncedByTimer else { return }
        sync()
        if let place = awaitingSync.exchange(nil) { inbox.remove(through: place) }
    }

    /// Keeps an undecided event, in a second record after the tracked one.
    /// - Returns: false when too many wait.
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
                        "\(Limits.deferredEvents) events wait for middleware to call next; "
                            + "further ones do not survive the end of the process"))
            }
            return false
        }
    }

    private func write(_ records: [InboxRecord]) {
        guard !records.isEmpty else { return }
        for record in records { append(record) }
        handlers.current.written()
    }

    /// Sets handlers.
    func handle(_ set: (inout Handlers) -> Void) { handlers.withLock(set) }

    /// Keeps the inbox after the present position until the destinations have finished an event.
    func keep(until event: Countdown) { unfinished.append((event, position)) }

    /// Whether the destinations have finished all processed events.
    var isFinished: Bool {
        dropFinished()
        return unfinished.isEmpty && deferred.isEmpty
    }

    /// The sequence up to which the inbox is not needed any more.
    private var watermark: UInt64 {
        dropFinished()
        return unfinished.first?.before ?? position
    }

    private func dropFinished() {
        while let first = unfinished.first, first.event.isOver { _ = unfinished.popFirst() }
    }

    /// Does work in advance, which callers and the uploader would otherwise wait for.
    func prepare() {
        share()
        inbox.prepare()
        outbox.prepare()
        handlers.current.prepared()
    }

    /// Divides the queue's room between inbox and outbox. Processed events are removed first, so they do not count as
    /// lost.
    /// - Parameter moving: how many events are about to move from the inbox to the outbox.
    private func share(moving: Int = 0) {
        let bounds = bounds.withLock { $0 }
        guard inbox.hasDisk else { return }
        let (waiting, sending) = (inbox.sizeOnDisk, outbox.sizeOnDisk)
        // Bytes are bytes on disk. Records are events: an event that is already in the outbox counts only there.
        let parts = QueueBudget.split(
            bounds, inboxBytes: waiting.bytes, inboxRecords: max(min(unprocessed, waiting.count) - moving, 0),
            outboxBytes: sending.bytes, outboxRecords: sending.count)
        if waiting.bytes > parts.inbox.bytes || waiting.count > parts.inbox.records { giveUpInbox() }
        inbox.setBounds(parts.inbox)
        outbox.setBounds(parts.outbox)
        outboxRecords = parts.outbox.records
    }

    /// Gives the outbox room for events that leave the inbox, so that no event is dropped for one that only moves.
    func makeRoom(for count: Int) {
        if outbox.sizeOnDisk.count + count > outboxRecords { share(moving: count) }
    }

    /// Does maintenance that is due at times when there is nothing else to do.
    func maintain() {
        if time.uptime >= nextCheck { check() } else { prepare() }
    }

    /// Checks whether the files are still there, and makes them again with what memory has.
    func check() {
        nextCheck = time.uptime + Limits.checkIntervalAtWork
        repair()
        handlers.current.checked()
        if isOwn { restoreKeptFiles() }
        deadLetters.finishPurge()
        prepare()
    }

    private func restoreKeptFiles() {
        let names = directory.keptFiles.restore(directory.values.files) + handlers.current.restoring()
        guard !names.isEmpty else { return }
        report(
            Diagnostic(
                .storage, "files of the client were deleted; they are written again: \(names.joined(separator: ", "))",
                reason: .recovered))
    }

    /// Syncs everything to the medium at intervals, away from callers and plugins.
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
        inbox.settle()
        let (life, kept) = (inboxLife, inbox.sequencesOnDisk)
        inbox.close(after: shared.withLock { $0.position })
        // The next process finds these events in the inbox, and processes them again.
        outbox.close { record in
            guard let tag = record.tag, let life, let kept else { return false }
            return tag.log == life.log && tag.epoch == life.epoch && kept.contains(tag.sequence)
        }
        deadLetters.close()
    }

    // MARK: Purging

    /// Purges the inbox. Safe from any thread.
    func beginPurge() {
        let end = inbox.end
        purged.withLock { $0 = end }
        inbox.purge()
    }

    /// Drops the events in progress that are purged. Returns the sequence up to which nothing may be processed any
    /// more.
    func finishPurge() -> UInt64? {
        guard let end = purged.exchange(nil) else { return nil }
        delete(through: end, from: &left)
        purgeProcessed()
        // The place is stored next, so a copy in a second record does not come back.
        if deferred.purge(through: end) { uncommitted += 1 }
        return end
    }

    /// Purges everything, in a queue that the pipeline is not reading.
    func purge() {
        beginPurge()
        _ = finishPurge()
    }

    /// Purges processed events that are not sent. Safe from any thread.
    func purgeProcessed() {
        outbox.purge()
        // Most queues have no dead letters. Then there is no log to open.
        if deadLetters.isOpen || directory.hasDeadLetters(number) { deadLetters.purge() }
    }

    /// Whether purged events would come back if the queue were closed now.
    var owesPurge: Bool { inbox.owesPurge || outbox.owesPurge || deadLetters.owesPurge }

    // MARK: Deleted files

    /// Makes deleted files again, with all events that were not processed or sent.
    func repair() {
        guard directory.location != nil else { return }
        let hadDisk = inbox.hasDisk
        let isIntact = (inbox.isAttached && hadDisk, outbox.isAttached && hadDisk, deadLetters.isAttached)
        guard isIntact != (true, true, true) else { return }
        do {
            // Usually everything was deleted, and the place is free again.
            if hadDisk, let same = try directory.openEmpty(number, inbox: !isIntact.0, outbox: !isIntact.1) {
                // Dead letters stay when their files are there, because they cannot be opened twice. They were not
                // deleted, or a caller has just opened them in the new folder.
                try move(to: same, withDeadLetters: !deadLetters.isAttached)
            } else if let other = try directory.openEmpty() {
                try move(to: other, withDeadLetters: true)
            } else {
                return
            }
            directory.location?.excludeFromBackup()
            repairFailure = nil
            report(Diagnostic(.storage, hadDisk ? Self.deleted : Self.usable, reason: .recovered))
        } catch {
            guard hadDisk else { return directory.openingFailure.withLock { $0 = error } }
            guard repairFailure != "\(error)" else { return }
            repairFailure = "\(error)"
            report(
                Diagnostic(
                    .storage, "the files of queue \(number) were deleted and cannot be created again: \(error)",
                    reason: .init(StorageState.Reason.missing)))
        }
    }

    private static let deleted =
        "files of the client were deleted; they are created again, with the events that were not sent"
    private static let usable = "the disk can be used now; the events in memory were moved to it"

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
    /// The reason why a tracked event does not survive the end of the process now; nil when it does.
    var weakness: (reason: StorageState.Reason?, detail: String?) {
        if inbox.isLasting {
            return inbox.isAttached ? (nil, nil) : (.missing, "the files were deleted; the client makes them again")
        }
        if let failure = inbox.failure { return (StorageState.Reason(failure), "\(failure)") }
        if inbox.hasDisk { return (.missing, "the files are being created again") }
        guard let error = directory.openingFailure.withLock({ $0 }) else {
            return (.memoryMode, "the configuration keeps events in memory")
        }
        return (StorageState.Reason(error), "\(error)")
    }
}
