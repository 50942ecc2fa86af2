import Foundation
import TributaryJournal

/// Opens the event queues of a write key: the client's own, the queues that ended processes left, and new queues.
///
/// A class, because every queue has it: copies of all its values would be code at each place.
final class QueueDirectory: Sendable {
    let values: Configuration.Values
    let location: StorageLocation?
    let host: LogHost
    let transport: any Transport
    /// One object for all queues, because it observes the system.
    let conditions: DeliveryConditions
    /// The error because of which the client has no files, although it was configured to have some.
    let openingFailure = LockBox<(any Error)?>(nil)
    /// The last contents of the client's small files.
    let keptFiles = KeptFiles()
    /// The user's consent, which applies to the queues of ended processes as well.
    let consent = LockBox(ConsentState.granted)

    init(
        values: Configuration.Values, transport: any Transport, counterStore: CounterStore,
        report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.values = values
        location = StorageLocation(mode: values.storageMode, writeKey: values.writeKey, program: values.program)
        self.transport = transport
        conditions = DeliveryConditions(values.makeConditions())
        var options = JournalOptions(bounds: values.storageLimits, cipher: values.storageCipher)
        if !(values.time is SystemTimeSource) { options.now = { [time = values.time] in time.milliseconds } }
        if values.durability == .powerLoss { options.durability = .groupCommit }
        host = LogHost(
            files: values.files, options: options, time: values.time, counterStore: counterStore, report: report)
    }

    var report: @Sendable (Diagnostic) -> Void { host.report }

    /// A list of the app's own store; nil when the configuration names none.
    private func stored(_ list: EventStoreList) throws -> EventStoreLog? {
        guard let store = values.storageMode.ownStore else { return nil }
        return try EventStoreLog(store, list, makeEpoch: host.options.makeEpoch)
    }

    /// The number of records that a log without a disk keeps.
    var memoryCapacity: Int {
        if case .memory(let count) = values.storageMode { return count }
        return Limits.memoryEvents
    }

    // MARK: The client's own queue

    /// Opens the first free queue: a second client of the same app takes the next one. The queue is in memory when no
    /// disk can be used.
    func own() -> EventQueue {
        if let warning = values.program.warning(values.storageMode) { report(Diagnostic(.configuration, warning)) }
        do {
            if let logs = try ownLogs() { return queue(logs, isOwn: true) }
            if location != nil { throw JournalError(.inUse, "\(ownNumbers.count) clients use this write key") }
        } catch {
            openingFailure.withLock { $0 = error }
            report(.storage("events are kept in memory because the disk cannot be used", error))
        }
        return queue(QueueLogs(number: 0, deadLetters: { nil }), isOwn: true)
    }

    private func ownLogs() throws -> QueueLogs? {
        if let inbox = try stored(.inbox) {
            return QueueLogs(
                number: 0, inbox: inbox, outbox: try stored(.outbox),
                deadLetters: { [self] in try stored(.deadLetters) })
        }
        guard let logs = try first(where: { _ in true }) else { return nil }
        location?.excludeFromBackup()
        if logs.number != ownNumbers.lowerBound {
            report(
                Diagnostic(
                    .configuration, "another client uses this write key, so this client has queue \(logs.number)",
                    severity: .notice))
        }
        return logs
    }

    /// Opens empty logs in an unused place, for a client that lost its logs or never had any.
    func openEmpty() throws -> QueueLogs? { try first(where: \.areUnused) }

    /// Opens empty logs in the client's own place, where only some may be gone; nil when the place is taken.
    func openEmpty(_ number: UInt64, inbox: Bool, outbox: Bool) throws -> QueueLogs? {
        let logs = QueueLogs(
            number: number, inbox: inbox ? try open(number, QueueLogs.inboxName) : nil,
            outbox: outbox ? try open(number, QueueLogs.outboxName) : nil, deadLetters: deadLetters(number))
        return (logs.inbox != nil) == inbox && (logs.outbox != nil) == outbox && logs.areUnused ? logs : nil
    }

    // MARK: Queues of ended processes

    /// The numbers of all queues; empty when the folder cannot be read now.
    func numbers() -> [UInt64] { (try? allNumbers()) ?? [] }

    /// The numbers of all queues.
    /// - Throws: when the folder cannot be read now. A missing folder has no queues.
    func allNumbers() throws(JournalError) -> [UInt64] {
        guard let location else { return [] }
        do {
            return try values.files.listFolder(location.folder.path)
                .compactMap { StorageLocation.queueNumber($0.name) }.inOrder()
        } catch let error where error.reason == .missing {
            return []
        }
    }

    /// The result of an attempt to take a queue.
    enum Attempt {
        case taken(EventQueue)
        case inUse
        case empty
    }

    /// Takes a queue that no client has and that holds events.
    /// - Parameter isToBePurged: takes an empty queue as well, and deletes its pending events.
    func adopt(_ number: UInt64, isToBePurged: Bool = false) throws -> Attempt {
        // Opening takes the lease from an owner that may only be suspended, so an empty queue is left alone.
        if location?.sharing != nil, !isToBePurged, survey(number).records == 0 { return .empty }
        guard let logs = try open(number), let inbox = logs.inbox, let outbox = logs.outbox else { return .inUse }
        settlePending(number, inbox, isToBePurged: isToBePurged)
        guard isToBePurged || inbox.count + outbox.count > 0 else { return .empty }
        return .taken(queue(logs, isOwn: false))
    }

    /// The size of a queue, whichever client has it.
    func survey(_ number: UInt64) -> (bytes: Int, records: Int) {
        var sum = (bytes: 0, records: 0)
        for name in [QueueLogs.inboxName, QueueLogs.outboxName] {
            // A log that cannot be examined now is examined the next time.
            guard let path = path(number, name), let survey = try? Journal.survey(path, files: values.files) else {
                continue
            }
            sum.bytes += survey.bytes
            sum.records += survey.records
        }
        return sum
    }

    /// The newest snapshot in a log of a queue, whichever client has it; nil when there is none that this client can
    /// read.
    /// - Throws: when the log cannot be read now.
    func newestSnapshot(_ number: UInt64, _ name: String) throws(JournalError) -> [UInt8]? {
        guard let path = path(number, name) else { return nil }
        do {
            return try Journal.newestSnapshot(in: path, options: host.options, files: values.files)
        } catch let error where error.errno == 0 {
            return nil
        }
    }

    // MARK: Opening

    /// The folder of the client's small files; nil for a client without files.
    var keptFolder: KeptFolder? { location.map { KeptFolder($0.folder, values.files, keptFiles) } }

    /// A small file of that name in the client's folder; nil for a client without files.
    func keptFile(_ name: String) -> KeptFile? { keptFolder?.file(name) }

    /// Opens an empty log for pending events, for a client that has lost its own or never had one; nil when the place is
    /// taken.
    func emptyPending(_ number: UInt64) throws -> (any RecordLog)? {
        guard let log = try lastingPending(number), log.head.lastSequence == 0 else { return nil }
        return log
    }

    private func path(_ number: UInt64, _ name: String) -> String? {
        location?.queue(number).appendingPathComponent(name).path
    }

    private func first(where isGood: (QueueLogs) -> Bool) throws -> QueueLogs? {
        guard location != nil else { return nil }
        for number in ownNumbers {
            do {
                if let logs = try open(number), isGood(logs) { return logs }
            } catch let error as JournalError where error.reason == .newerFormat || error.reason == .otherKey {
                report(.storage("queue \(number) cannot be used", error))
            }
        }
        return nil
    }

    /// Opens the logs of a queue; nil when another client has it. The client that has the inbox has the queue.
    private func open(_ number: UInt64) throws -> QueueLogs? {
        guard let inbox = try open(number, QueueLogs.inboxName) else { return nil }
        let again = comesAgain(number, inbox.head)
        guard let outbox = try open(number, QueueLogs.outboxName, comesAgain: again) else { return nil }
        return QueueLogs(number: number, inbox: inbox, outbox: outbox, deadLetters: deadLetters(number))
    }

    private func open(
        _ number: UInt64, _ name: String, comesAgain: (@Sendable (JournalTag) -> Bool)? = nil
    ) throws -> Journal? {
        guard let path = path(number, name) else { return nil }
        var options = host.options
        options.comesAgain = comesAgain
        if let sharing = location?.sharing { options.ownership = sharing.ownership(of: number) }
        do throws(JournalError) {
            return try Journal.open(path, options: options, files: values.files)
        } catch {
            guard error.reason == .inUse else { throw error }
            return nil
        }
    }

    /// Decides which records of an outbox will be made again, because the inbox still has their events.
    ///
    /// That includes events whose inbox record a power failure lost. The client had not promised them: it promises an
    /// event when a sync has covered its inbox record. `Durability.process` promises nothing, so there such an event stays,
    /// and may arrive before older ones.
    private func comesAgain(_ number: UInt64, _ inbox: JournalHead) -> @Sendable (JournalTag) -> Bool {
        let last = values.durability == .process ? inbox.lastSequence : UInt64.max
        return { tag in
            guard tag.log == number, tag.epoch == inbox.epoch else { return false }
            return tag.sequence > inbox.watermark && tag.sequence <= last
        }
    }

    /// The numbers that clients of this program try.
    private var ownNumbers: Range<UInt64> { location?.sharing?.numbers ?? 0..<QueueSharing.numbersPerProgram }

    private func deadLetters(_ number: UInt64) -> DeadLetterLog.Opening {
        { [self] in
            guard let log = try open(number, QueueLogs.deadLettersName) else {
                throw JournalError(.inUse, "the folder of dead letters is in use")
            }
            log.setBounds(QueueBudget.deadLetters(of: host.options.bounds))
            return log
        }
    }

    private func queue(_ logs: QueueLogs, isOwn: Bool) -> EventQueue {
        let queue = EventQueue(logs, isOwn: isOwn, directory: self)
        if case .interval(let seconds) = values.durability { queue.beginSyncing(every: max(seconds, 0.1)) }
        return queue
    }

    func log(_ name: String, _ disk: (any RecordLog)?) -> FailoverLog {
        // While a disk refuses, memory holds the standard number of records, whatever the mode.
        FailoverLog(name, disk: disk, capacity: disk == nil ? memoryCapacity : Limits.memoryEvents, host)
    }

    func uploader(_ outbox: FailoverLog, _ deadLetters: DeadLetterLog, of number: UInt64) -> Uploader {
        let statePath = outbox.hasDisk ? path(number, QueueLogs.deliveryStateName) : nil
        return Uploader(
            outbox: outbox, deadLetters: deadLetters,
            options: Uploader.Options(
                writeKey: values.writeKey, compresses: values.gzip, time: values.time, identifiers: values.identifiers),
            transport: transport, conditions: conditions,
            stateFile: statePath.map { RetryStateFile(file: KeptFile($0, values.files, keptFiles)) },
            counterStore: host.counterStore, report: report)
    }

    // MARK: Pending events and dead letters

    /// Whether a queue has pending events, or may have some.
    func hasPending(_ number: UInt64) -> Bool { isUsed(.pending, QueueLogs.pendingName, number) }

    /// Whether a queue has dead letters, or may have some.
    func hasDeadLetters(_ number: UInt64) -> Bool { isUsed(.deadLetters, QueueLogs.deadLettersName, number) }

    private func isUsed(_ list: EventStoreList, _ name: String, _ number: UInt64) -> Bool {
        do {
            if let store = values.storageMode.ownStore { return try EventStoreLog.isUsed(store, list) }
            return try path(number, name).map { try !values.files.listFolder($0).isEmpty } ?? false
        } catch {
            // A log that cannot be examined now may have something.
            return (error as? JournalError)?.reason != .missing
        }
    }

    /// The pending log of a queue; in memory when it cannot be read.
    /// - Parameter isLasting: whether the queue is on disk.
    func pending(_ number: UInt64, isLasting: Bool) -> FailoverLog {
        (try? readablePending(number, isLasting: isLasting, isPatient: false)) ?? log(QueueLogs.pendingName, nil)
    }

    /// As `pending`, for a caller that waits until the log can be read.
    /// - Throws: when the log cannot be read now and the caller is patient.
    func readablePending(_ number: UInt64, isLasting: Bool, isPatient: Bool = true) throws -> FailoverLog {
        do {
            return log(QueueLogs.pendingName, isLasting ? try lastingPending(number) : nil)
        } catch let error as JournalError where isPatient && error.reason == .unreadable {
            throw error
        } catch {
            report(.storage("events that wait for the user's consent are kept in memory", error))
            return log(QueueLogs.pendingName, nil)
        }
    }

    private func lastingPending(_ number: UInt64) throws -> (any RecordLog)? {
        if let log = try stored(.pending) { return log }
        return try open(number, QueueLogs.pendingName)
    }

    /// Applies the user's present decision to the pending events of an ended process.
    private func settlePending(_ number: UInt64, _ inbox: any RecordLog, isToBePurged: Bool) {
        let consent = consent.withLock { $0 }
        guard consent != .pending || isToBePurged, hasPending(number) else { return }
        let pending = pending(number, isLasting: true)
        defer { pending.close() }
        if consent == .granted && !isToBePurged {
            let inbox = log(QueueLogs.inboxName, inbox)
            var move = PendingMove(from: pending, to: inbox)
            while move.step(from: pending, to: inbox, number: number) {}
        } else {
            pending.append(nil, snapshot: IdentitySnapshot.nobody)
            pending.purge()
        }
    }
}
