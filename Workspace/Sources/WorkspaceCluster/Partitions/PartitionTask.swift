import Logging
import Synchronization
import WorkspaceCore
import WorkspaceServer

/// Carries out the actions of a `PartitionMachine` for one partition.
final class PartitionTask: Sendable {
    let partition: Int
    let log: any EventLog
    let places: any PartitionLeases
    let store: any PartitionStore
    let options: ClusterOptions
    let logger: Logger
    let owned: OwnedPartitions
    private let turns: Turns
    private let suppressions: SuppressionBook
    private let turn = Mutex<Turns.Turn?>(nil)
    private let recent = RecentRecords()
    private let scripts: BlockScripts?
    private let scripted = ScriptedRecords()

    /// - Parameters:
    ///   - turns: gives the partitions of this process their turns to store.
    ///   - scripts: takes events through live plugins; nil for a node that cannot.
    init(
        _ partition: Int, log: any EventLog, places: any PartitionLeases, store: any PartitionStore,
        options: ClusterOptions, logger: Logger, owned: OwnedPartitions, turns: Turns,
        suppressions: SuppressionBook = SuppressionBook(), scripts: BlockScripts? = nil
    ) {
        (self.partition, self.log, self.places, self.store) = (partition, log, places, store)
        (self.options, self.logger, self.owned, self.turns) = (options, logger, owned, turns)
        (self.suppressions, self.scripts) = (suppressions, scripts)
    }

    /// Works until the task is cancelled.
    func run(as owner: String) async {
        let began = ContinuousClock.now
        func now() -> Int64 { Int64((ContinuousClock.now - began) / .milliseconds(1)) }
        var machine = PartitionMachine(
            owner: owner, patience: options.patience, pulse: options.pulse, now: now())
        let (inputs, give) = AsyncStream.makeStream(of: PartitionMachine.Input.self)
        // The long work runs beside the renewals of the record. It makes and uses the index.
        var work: Task<Void, Never>?
        let index = PartitionIndexBox()
        func perform(_ action: PartitionMachine.Action) {
            switch action {
            case .abandon:
                work?.cancel()
                work = nil
                recent.keep([])
                scripted.forget()
            case .alarm(let alarm):
                logger.critical(
                    "the log of a partition, or the record of it, went back",
                    metadata: ["partition": "\(partition)", "alarm": "\(alarm)"])
                owned.alarmed()
            case .takeTurn: work = start(give) { await self.takeTurn() }
            case .prepare(let place):
                work = start(give) { await self.prepare(place, index) }
            case .read(let first):
                guard let place = machine.owned else { return }
                work = start(give) { await self.read(first, place) }
            case .store(let first, let range):
                guard let place = machine.owned else { return }
                work = start(give) { await self.store(first, range, place, index) }
            case .wait(let milliseconds):
                Task {
                    try? await Task.sleep(for: .milliseconds(milliseconds))
                    give.yield(.tick)
                }
            case .find, .set, .stand, .look:
                Task { give.yield(await self.answer(to: action)) }
            }
        }
        for action in machine.first { perform(action) }
        for await input in inputs {
            for action in machine.handle(input, now: now(), wallTime: options.now()) { perform(action) }
            if !machine.needsTurn { endTurn() }
            owned.note(machine.owned, of: partition)
            owned.note(repeated: machine.repeated, of: partition)
        }
        work?.cancel()
        endTurn()
        if let release = machine.release {
            // The task is cancelled, and requests of a cancelled task fail. So a new task makes this one.
            await Task { _ = await self.answer(to: release) }.value
        }
        owned.note(nil, of: partition)
    }

    /// Starts work that takes long, and sends ticks while it runs.
    private func start(
        _ give: AsyncStream<PartitionMachine.Input>.Continuation,
        _ work: @escaping @Sendable () async -> PartitionMachine.Input?
    ) -> Task<Void, Never> {
        Task {
            let pulse = options.pulse
            let ticks = Task {
                while !Task.isCancelled {
                    try? await Task.sleep(for: .milliseconds(pulse))
                    if !Task.isCancelled { give.yield(.tick) }
                }
            }
            let input = await work()
            ticks.cancel()
            // No tick may come after the end of the work.
            await ticks.value
            if let input, !Task.isCancelled { give.yield(input) }
        }
    }

    // MARK: Quick actions

    private func answer(to action: PartitionMachine.Action) async -> PartitionMachine.Input {
        do {
            switch action {
            case .find:
                guard owned.hasRoom(for: partition) else { return .failed }
                guard let found = try await places.place(of: partition) else { return .found(nil, revision: 0) }
                return .found(found.place, revision: found.revision)
            case .set(let place, let expected):
                let revision = try await places.set(place, of: partition, ifRevision: expected)
                return revision.map { .set(revision: $0) } ?? .refused
            case .stand: return .standing(try await log.standing(of: partition))
            case .look: return owned.isSurplus(partition) ? .letGo : .standing(try await log.standing(of: partition))
            case .takeTurn, .prepare, .read, .store, .abandon, .alarm, .wait: return .failed
            }
        } catch LogError.wentBack, LogError.trimmed {
            return .misfits
        } catch LogError.newer(let what) {
            return refuse(what)
        } catch {
            note(error, "a step of a partition failed")
            return .failed
        }
    }

    // MARK: Long actions

    private func takeTurn() async -> PartitionMachine.Input? {
        let taken = await turns.take()
        guard !Task.isCancelled else { return nil }
        turn.withLock { $0 = taken }
        return .turn
    }

    private func endTurn() { turn.withLock { $0 = nil } }

    /// Lets other partitions of this process store while work goes on that may take long.
    private func withoutTurn<Result>(_ work: () async throws -> Result) async throws -> Result {
        guard turn.withLock({ $0 != nil }) else { return try await work() }
        endTurn()
        let result = try await work()
        let taken = await turns.take()
        try Task.checkCancellation()
        turn.withLock { $0 = taken }
        return result
    }

    private func read(_ first: UInt64, _ place: PartitionLease) async -> PartitionMachine.Input? {
        await untilDone {
            let records = try await self.log.read(
                self.partition, from: first, atMost: self.options.recordsInBlock, bytes: self.options.bytesInBlock)
            self.recent.keep(records)
            let taken = try ClusterRecord.prefix(of: records, rows: ClusterNumber.rowsInBlock)
            guard let through = taken.through else { return .read(through: nil, rows: 0) }
            let range = Array(records.prefix { $0.place <= through })
            guard let outcomes = try await self.outcomes(range, place) else {
                return .read(through: through, rows: taken.rows)
            }
            return Self.cut(range, outcomes)
        }
    }

    /// The part of a range that fits a block with the events that scripts made. The first record always fits.
    private static func cut(
        _ records: [LogRecord], _ outcomes: [UInt64: BlockScripts.Outcome]
    ) -> PartitionMachine.Input {
        var (through, rows, made): (UInt64?, Int, MadeEvents) = (nil, 0, MadeEvents())
        for (index, record) in records.enumerated() {
            var more = MadeEvents()
            if let outcome = outcomes[record.place] { more.add(outcome.origins, of: index) }
            let count = ClusterRecord.rows(of: record.bytes) + more.sum
            guard through == nil || rows + count <= ClusterNumber.rowsInBlock else { break }
            (through, rows) = (record.place, rows + count)
            made.add(more)
        }
        return .read(through: through, rows: rows, made: made)
    }

    /// Takes records through the scripts of their sources, each one once.
    /// - Returns: the outcomes by place; nil when no record has scripts.
    private func outcomes(
        _ records: [LogRecord], _ place: PartitionLease
    ) async throws -> [UInt64: BlockScripts.Outcome]? {
        guard let scripts, let first = records.first?.place, let last = records.last?.place else { return nil }
        var known = scripted.outcomes(first...last, of: place.epoch)
        let sources = await scripts.sources()
        let requests = try PartitionBlock.requests(
            records.filter { known[$0.place] == nil }, of: partition, at: place, sources)
        guard !requests.isEmpty else { return known.isEmpty ? nil : known }
        let new = try await withoutTurn { await scripts.run(requests) }
        try Task.checkCancellation()
        scripted.keep(new, of: place.epoch)
        known.merge(new) { $1 }
        return known
    }

    private func prepare(_ place: PartitionLease, _ index: PartitionIndexBox) async -> PartitionMachine.Input? {
        await untilDone {
            self.scripted.forget()
            let known = try await self.store.messages(
                of: self.partition, before: ClusterNumber.first(at: place.next),
                newest: self.options.window + PartitionIndex.slack)
            index.value = PartitionIndex(known, window: self.options.window)
            return .prepared(place)
        }
    }

    private func store(
        _ first: UInt64, _ range: PartitionLease.RecordRange, _ place: PartitionLease, _ index: PartitionIndexBox
    ) async -> PartitionMachine.Input? {
        await untilDone {
            let records = try await self.records(first...range.to)
            // The owner announced that the range went through scripts, so it goes through them here, too.
            let outcomes = range.made == nil ? nil : try await self.outcomes(records, place)
            let block = try PartitionBlock(
                records, of: self.partition, at: place, range, outcomes: outcomes ?? [:])
            var stored: [RowIdentity: MessageLocation] = [:]
            if let old = block.old(index.value) {
                stored = try await self.store.places(
                    of: old.identities, in: self.partition, before: ClusterNumber.first(at: range.storedAt),
                    on: old.days)
            }
            let made = try block.made(index.value, stored: stored, suppressions: self.suppressions.list)
            self.suppressions.noteRefused(made.refused)
            try await self.store.append(made.block)
            try Task.checkCancellation()
            index.add(made.new)
            self.scripted.forget(through: range.to)
            return .stored(range)
        }
    }

    /// Reads exactly these records, because an announced range is stored as a whole or not at all.
    private func records(_ range: ClosedRange<UInt64>) async throws -> [LogRecord] {
        var records = recent.take(range)
        while UInt64(records.count) < UInt64(range.count) {
            let next = range.lowerBound + UInt64(records.count)
            let found = try await log.read(
                partition, from: next, atMost: range.count - records.count, bytes: options.bytesInBlock)
            guard !found.isEmpty else {
                throw LogError.unavailable("the record \(next) is announced and not there yet")
            }
            records += found
        }
        return records
    }

    /// Repeats the work until it succeeds; nil when the task is cancelled.
    private func untilDone(
        _ work: @Sendable () async throws -> PartitionMachine.Input
    ) async -> PartitionMachine.Input? {
        while !Task.isCancelled {
            do {
                return try await work()
            } catch LogError.wentBack, LogError.trimmed {
                return .misfits
            } catch is CancellationError {
                return nil
            } catch LogError.newer(let what) {
                return refuse(what)
            } catch {
                note(error, "what a partition has cannot be stored now; it waits in the log")
                // Other partitions may store now.
                endTurn()
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
        return nil
    }

    /// Leaves the partition to a node that can read its records. This node takes it again only after a restart, because
    /// a newer version needs one.
    private func refuse(_ what: String) -> PartitionMachine.Input {
        if owned.refuse(partition) {
            logger.critical(
                "a partition waits for a node of a newer version",
                metadata: ["partition": "\(partition)", "error": "\(LogError.newer(what))"])
        }
        return .letGo
    }

    private func note(_ error: any Error, _ text: Logger.Message) {
        logger.warning(text, metadata: ["partition": "\(partition)", "error": "\(error)"])
    }
}
