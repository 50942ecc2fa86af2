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

    /// - Parameter turns: gives the partitions of this process their turns to store.
    init(
        _ partition: Int, log: any EventLog, places: any PartitionLeases, store: any PartitionStore,
        options: ClusterOptions, logger: Logger, owned: OwnedPartitions, turns: Turns,
        suppressions: SuppressionBook = SuppressionBook()
    ) {
        (self.partition, self.log, self.places, self.store) = (partition, log, places, store)
        (self.options, self.logger, self.owned, self.turns) = (options, logger, owned, turns)
        self.suppressions = suppressions
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
            case .alarm(let alarm):
                logger.critical(
                    "the log of a partition, or the record of it, went back",
                    metadata: ["partition": "\(partition)", "alarm": "\(alarm)"])
                owned.alarmed()
            case .takeTurn: work = start(give) { await self.takeTurn() }
            case .prepare(let place):
                work = start(give) { await self.prepare(place, index) }
            case .store(let first, let range):
                guard let place = machine.owned else { return }
                work = start(give) { await self.store(first, range, place, index) }
            case .wait(let milliseconds):
                Task {
                    try? await Task.sleep(for: .milliseconds(milliseconds))
                    give.yield(.tick)
                }
            case .find, .set, .stand, .look, .read:
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
            case .read(let first):
                let records = try await log.read(
                    partition, from: first, atMost: options.recordsInBlock, bytes: options.bytesInBlock)
                recent.keep(records)
                let taken = try ClusterRecord.prefix(of: records, rows: ClusterNumber.rowsInBlock)
                return .read(through: taken.through, rows: taken.rows)
            case .takeTurn, .prepare, .store, .abandon, .alarm, .wait: return .failed
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

    private func prepare(_ place: PartitionLease, _ index: PartitionIndexBox) async -> PartitionMachine.Input? {
        await untilDone {
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
            let block = try PartitionBlock(records, of: self.partition, at: place, range)
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
