import Dispatch
import Foundation
import TributaryJournal

/// Opens the lanes of a write key: the client's own, those that were left behind, and new ones.
struct LaneStore: Sendable {
    let values: Configuration.Values
    let location: StorageLocation?
    let accounts: Accounts
    let transport: any Transport
    /// One for all lanes: it watches the system.
    private let conditions: (any UploadConditions)?
    let report: @Sendable (Diagnostic) -> Void
    /// Where logs try again what failed, away from callers, plugins and requests.
    let queue = DispatchQueue(label: "tributary.storage", qos: .utility)
    /// Why the client has no files of its own, although it was to have some.
    let openingFailure = LockBox<(any Error)?>(nil)
    /// What the user consented to: lanes that were left behind are dealt with in the same way.
    let consent = LockBox(ConsentState.granted)
    private let host: DiskLog.Host

    init(
        values: Configuration.Values, transport: any Transport, accounts: Accounts,
        report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.values = values
        location = StorageLocation(mode: values.storageMode, writeKey: values.writeKey, program: values.program)
        self.accounts = accounts
        self.transport = transport
        conditions = values.makeConditions()
        self.report = report
        var options = JournalOptions(bounds: values.storageLimits, cipher: values.storageCipher)
        if !(values.time is SystemTimeSource) { options.now = { [time = values.time] in time.milliseconds } }
        if values.durability == .powerLoss { options.durability = .groupCommit }
        host = DiskLog.Host(files: values.files, options: options, accounts: accounts, report: report)
    }

    // MARK: The client's own

    /// The first lane that is free: a second client of the same app takes the next one. In memory where no disk can be
    /// used.
    func own() -> Lane {
        if let warning = values.program.warning(values.storageMode) { report(Diagnostic(.configuration, warning)) }
        do {
            if let location, let files = try first(location, where: { _ in true }) {
                location.excludeFromBackup()
                if files.number != ownLanes.lowerBound {
                    report(
                        Diagnostic(
                            .configuration, "another client has this write key: this is lane \(files.number)",
                            severity: .notice))
                }
                return lane(files, isOwn: true)
            }
            if let store = eventStore { return lane(try files(in: store), isOwn: true) }
            if location != nil {
                throw JournalError(.inUse, "\(ownLanes.count) clients have this write key")
            }
        } catch {
            openingFailure.withLock { $0 = error }
            report(
                Diagnostic(
                    .storage, "events are kept in memory, the disk cannot be used: \(error)",
                    reason: .init(StorageState.Reason(error))))
        }
        return lane(inMemory, isOwn: true)
    }

    /// Logs for a client that lost its own, or never had any: where nobody has been before.
    func openEmpty() throws -> LaneFiles.Replacements? {
        guard let location, let files = try first(location, where: \.isEmpty) else { return nil }
        return LaneFiles.Replacements(
            number: files.number, inbox: files.inbox, outbox: files.outbox, deadLetters: files.deadLetters)
    }

    /// The same in the place that was the client's, where only some of it may be gone; nil when it is taken.
    func openEmpty(_ number: UInt64, inbox: Bool, outbox: Bool) throws -> LaneFiles.Replacements? {
        guard let location else { return nil }
        let (folder, host) = (location.lane(number), host(of: number))
        let newInbox = inbox ? try DiskLog.open(folder, LaneFiles.inboxName, host) : nil
        let newOutbox = outbox ? try DiskLog.open(folder, LaneFiles.outboxName, host) : nil
        guard (newInbox != nil) == inbox, (newOutbox != nil) == outbox,
            newInbox?.isUnused ?? true, newOutbox?.isUnused ?? true
        else {
            newInbox?.close()
            newOutbox?.close()
            return nil
        }
        return LaneFiles.Replacements(
            number: number, inbox: newInbox, outbox: newOutbox, deadLetters: deadLetters(folder, host))
    }

    // MARK: Left behind

    /// The numbers of all lanes that there are; none when the folder cannot be read now.
    func numbers() -> [UInt64] { (try? allNumbers()) ?? [] }

    /// The numbers of all lanes that there are.
    /// - Throws: when that cannot be told now. A folder that is not there has no lanes.
    func allNumbers() throws(JournalError) -> [UInt64] {
        guard let location else { return [] }
        do {
            return try values.files.listFolder(location.folder.path)
                .compactMap { StorageLocation.laneNumber($0.name) }.sorted()
        } catch let error where error.reason == .missing {
            return []
        }
    }

    /// What became of an attempt to take a lane.
    enum Attempt {
        case taken(Lane)
        case inUse
        case empty
    }

    /// Takes a lane that nobody has and, unless told otherwise, that holds events.
    func adopt(_ number: UInt64, evenIfEmpty: Bool = false) throws -> Attempt {
        // Whoever opens a lane takes the lease of it from an owner who may only be suspended: not for nothing.
        if location?.sharing != nil, !evenIfEmpty, survey(number).records == 0 { return .empty }
        guard let location, let files = try open(location, number) else { return .inUse }
        try settle(location, files, delete: evenIfEmpty)
        guard evenIfEmpty || files.inbox.count + files.outbox.count > 0 else {
            files.close()
            return .empty
        }
        return .taken(lane(files, isOwn: false))
    }

    /// What lies in a lane, whoever has it.
    func survey(_ number: UInt64) -> (bytes: Int, records: Int) {
        var sum = (bytes: 0, records: 0)
        guard let location else { return sum }
        for name in [LaneFiles.inboxName, LaneFiles.outboxName] {
            let path = location.lane(number).appendingPathComponent(name).path
            // What cannot be looked at now is looked at the next time.
            guard let survey = try? Journal.survey(path, files: values.files) else { continue }
            sum.bytes += survey.bytes
            sum.records += survey.records
        }
        return sum
    }

    /// Who the user was last in a lane, whoever has it; nil when nothing says so, or not now.
    func identity(of number: UInt64) -> IdentitySnapshot? { (try? storedIdentity(of: number)) ?? nil }

    /// Who the user was last in a lane, whoever has it; nil when nothing says so.
    /// - Throws: when that cannot be told now. A lane of another key or of a newer version says nothing.
    func storedIdentity(of number: UInt64) throws(JournalError) -> IdentitySnapshot? {
        guard let location else { return nil }
        for name in [LaneFiles.pendingName, LaneFiles.inboxName] {
            let path = location.lane(number).appendingPathComponent(name).path
            guard let snapshot = try newestSnapshot(path).flatMap(IdentitySnapshot.init) else { continue }
            if name == LaneFiles.inboxName || snapshot.info != nil { return snapshot }
        }
        return nil
    }

    private func newestSnapshot(_ path: String) throws(JournalError) -> [UInt8]? {
        do {
            return try Journal.newestSnapshot(in: path, options: host.options, files: values.files)
        } catch let error where error.errno == 0 {
            return nil
        }
    }

    /// The identity with which the write key began; nil where clients share no files.
    var firstIdentity: FirstIdentity? {
        location.map { FirstIdentity(folder: $0.folder.path, files: values.files, cipher: values.storageCipher) }
    }

    // MARK: Opening

    private func first(_ location: StorageLocation, where isGood: (LaneFiles) -> Bool) throws -> LaneFiles? {
        for number in ownLanes {
            do {
                guard let files = try open(location, number) else { continue }
                if isGood(files) { return files }
                files.close()
            } catch let error as JournalError where error.reason == .newerFormat || error.reason == .otherKey {
                report(
                    Diagnostic(
                        .storage, "lane \(number) is left alone: \(error)",
                        reason: .init(StorageState.Reason(error))))
            }
        }
        return nil
    }

    private func open(_ location: StorageLocation, _ number: UInt64) throws -> LaneFiles? {
        let (folder, host) = (location.lane(number), host(of: number))
        // Who has the inbox has the lane.
        guard let inbox = try DiskLog.open(folder, LaneFiles.inboxName, host) else { return nil }
        do {
            if let outbox = try DiskLog.open(folder, LaneFiles.outboxName, outboxHost(number, inbox, host)) {
                return LaneFiles(number: number, inbox: inbox, outbox: outbox, deadLetters: deadLetters(folder, host))
            }
            inbox.close()
            return nil
        } catch {
            inbox.close()
            throw error
        }
    }

    /// The numbers of lanes that a client of this program tries.
    private var ownLanes: Range<UInt64> { location?.sharing?.lanes ?? 0..<LaneSharing.lanesPerProgram }

    /// How the logs of a lane are opened.
    private func host(of number: UInt64) -> DiskLog.Host {
        guard let sharing = location?.sharing else { return host }
        var options = host.options
        options.ownership = sharing.ownership(of: number)
        return DiskLog.Host(files: host.files, options: options, accounts: host.accounts, report: host.report)
    }

    /// How the outbox of a lane is opened: with what the inbox still has, of which its records are made again.
    ///
    /// With power loss in mind, what the inbox does not have yet counts as well: no `track` has returned for it.
    private func outboxHost(_ number: UInt64, _ inbox: DiskLog, _ host: DiskLog.Host) -> DiskLog.Host {
        let (epoch, removed) = (inbox.epoch, inbox.removedThrough)
        let last = values.durability == .powerLoss ? UInt64.max : inbox.lastSequence
        var options = host.options
        options.comesAgain = { tag in
            guard tag.lane == number, tag.epoch == epoch else { return false }
            return tag.sequence > removed && tag.sequence <= last
        }
        return DiskLog.Host(files: host.files, options: options, accounts: host.accounts, report: host.report)
    }

    private func deadLetters(_ folder: URL, _ host: DiskLog.Host) -> SwitchedLog.Opening {
        {
            guard let log = try DiskLog.open(folder, LaneFiles.deadLettersName, host) else {
                throw JournalError(.inUse, "the folder of dead letters is in use")
            }
            log.setBounds(StorageShare.deadLetters(of: host.options.bounds))
            return log
        }
    }

    // MARK: Kept apart

    /// Whether something was kept apart in a lane.
    func hasPending(_ number: UInt64) -> Bool {
        // What cannot be asked now may have something.
        (try? isUsed(.pending, LaneFiles.pendingName, number)) ?? true
    }

    /// Whether something was put aside in a lane, or may have been.
    func hasDeadLetters(_ number: UInt64) -> Bool {
        (try? isUsed(.deadLetters, LaneFiles.deadLettersName, number)) ?? true
    }

    private func isUsed(_ list: EventStoreList, _ name: String, _ number: UInt64) throws -> Bool {
        if let store = eventStore { return try StoreLog.isUsed(store, list) }
        guard let location else { return false }
        do {
            return try !values.files.listFolder(location.lane(number).appendingPathComponent(name).path).isEmpty
        } catch let error where error.reason == .missing {
            return false
        }
    }

    /// The log of what is kept apart until the user decides. In memory where the lane is.
    func pending(_ number: UInt64, isLasting: Bool) -> FailoverLog {
        do {
            return try readablePending(number, isLasting: isLasting, isWaiting: false)
        } catch {
            return log("pending", pendingInMemory)
        }
    }

    /// The same.
    /// - Parameter isWaiting: whether somebody waits until it can be read.
    /// - Throws: when it cannot be read now.
    func readablePending(_ number: UInt64, isLasting: Bool, isWaiting: Bool = true) throws -> FailoverLog {
        let disk: any RecordLog
        do {
            disk = try (isLasting ? lastingPending(number) : nil) ?? pendingInMemory
        } catch let error as JournalError where isWaiting && error.reason == .unreadable {
            throw error
        } catch {
            report(
                Diagnostic(
                    .storage, "what the user has not consented to yet is kept in memory: \(error)",
                    reason: .init(StorageState.Reason(error))))
            disk = pendingInMemory
        }
        return log("pending", disk)
    }

    private func lastingPending(_ number: UInt64) throws -> (any RecordLog)? {
        if let store = eventStore { return try StoreLog(store, .pending, makeEpoch: host.options.makeEpoch) }
        return try location.flatMap { try DiskLog.open($0.lane(number), LaneFiles.pendingName, host(of: number)) }
    }

    /// The app's own store, when events are to be kept there.
    private var eventStore: (any EventStore)? {
        if case .custom(let store) = values.storageMode { return store }
        return nil
    }

    private var pendingInMemory: any RecordLog {
        MemoryLog(capacity: capacity, isAttached: location == nil, onDrop: dropped("pending"))
    }

    /// Does with what a lane that was left behind kept apart what the user decided meanwhile.
    private func settle(_ location: StorageLocation, _ files: LaneFiles, delete: Bool) throws {
        let consent = consent.withLock { $0 }
        guard consent != .pending || delete, hasPending(files.number) else { return }
        let pending = pending(files.number, isLasting: true)
        defer { pending.close() }
        if consent == .granted && !delete {
            let inbox = log("inbox", files.inbox)
            while PendingMove.step(from: pending, to: inbox, number: files.number) {}
        } else {
            pending.append(snapshot: EventWriter.nobody)
            pending.purge()
        }
    }

    /// Deletes what was derived from the user's events and lies beside the lanes.
    func deleteDerived() {
        guard let url = location?.folder.appendingPathComponent(SessionFile.name) else { return }
        do {
            try KeptFile(url, values.files).remove()
        } catch {
            report(Diagnostic(.storage, "the session cannot be deleted, it is tried again at the next start: \(error)"))
        }
    }

    private func log(_ name: String, _ disk: any RecordLog) -> FailoverLog {
        FailoverLog(
            name: name, disk: disk, capacity: Limits.memoryEvents, queue: queue, time: values.time, report: report,
            onDrop: dropped(name))
    }

    private func files(in store: any EventStore) throws -> LaneFiles {
        let makeEpoch = host.options.makeEpoch
        return LaneFiles(
            number: 0, inbox: try StoreLog(store, .inbox, makeEpoch: makeEpoch),
            outbox: try StoreLog(store, .outbox, makeEpoch: makeEpoch),
            deadLetters: { try StoreLog(store, .deadLetters, makeEpoch: makeEpoch) })
    }

    private func stateFile(_ files: LaneFiles) -> RetryStateFile? {
        guard let location, files.outbox.isLasting else { return nil }
        let path = location.lane(files.number).appendingPathComponent(LaneFiles.deliveryStateName).path
        return RetryStateFile(path: path, files: values.files)
    }

    private var inMemory: LaneFiles {
        // A store that fails at the start is not asked again: what is in it comes before what is tracked now.
        let isChosen = location == nil
        let deadLetters = MemoryLog(capacity: capacity) { _ in }
        return LaneFiles(
            number: 0, inbox: MemoryLog(capacity: capacity, isAttached: isChosen, onDrop: dropped("inbox")),
            outbox: MemoryLog(capacity: capacity, isAttached: isChosen, onDrop: dropped("outbox")),
            deadLetters: { deadLetters })
    }

    private var capacity: Int {
        if case .memory(let count) = values.storageMode { return count }
        return Limits.memoryEvents
    }

    private func dropped(_ name: String) -> @Sendable (Int) -> Void {
        { [accounts, report] count in
            accounts.count { $0.lost["memory_full", default: 0] += count }
            report(
                Diagnostic(
                    .eventDropped, "the \(name) in memory is full, the oldest event goes", reason: .memoryFull,
                    count: count))
        }
    }

    private func lane(_ files: LaneFiles, isOwn: Bool) -> Lane {
        let lane = made(files, isOwn: isOwn)
        if case .interval(let seconds) = values.durability { lane.beginSyncing(every: max(seconds, 0.1)) }
        return lane
    }

    private func made(_ files: LaneFiles, isOwn: Bool) -> Lane {
        let outbox = log("outbox", files.outbox)
        let deadLetters = SwitchedLog(files.deadLetters)
        let uploader = Uploader(
            outbox: outbox, deadLetters: deadLetters, values: values, transport: transport,
            conditions: conditions, stateFile: stateFile(files), accounts: accounts, report: report)
        return Lane(
            files, isOwn: isOwn, inbox: log("inbox", files.inbox), outbox: outbox, uploader: uploader,
            deadLetters: deadLetters, store: self)
    }
}

extension LaneFiles {
    /// Whether nobody has ever used it.
    fileprivate var isEmpty: Bool { inbox.isUnused && outbox.isUnused }

    fileprivate func close() {
        inbox.close()
        outbox.close()
    }
}

extension RecordLog {
    /// Whether nothing was ever written to it.
    fileprivate var isUnused: Bool { lastSequence == 0 && snapshot == nil && count == 0 }
}
