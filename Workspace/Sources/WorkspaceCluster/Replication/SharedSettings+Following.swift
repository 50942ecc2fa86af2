import GRDB
import Logging
import Synchronization
import WorkspaceCore
import WorkspaceServer

extension SharedSettings {
    /// Applies the changes of all nodes as they come, until the task is cancelled.
    ///
    /// While the log is away it tries again and again. When the node has diverged it does nothing more.
    func follow() async {
        memory.withLock { $0.isFollowed = true }
        defer { memory.withLock { $0.isFollowed = false } }
        var pause = options.pause
        while !Task.isCancelled {
            await turns.run {
                await lookIntoLog()
                await maintainLog()
            }
            await tellListeners()
            if case .following = state { pause = options.pause } else { pause = min(pause * 2, options.longestPause) }
            do { try await options.wait(pause) } catch { return }
        }
    }

    /// Applies the new records of the log, and notes the resulting state. The caller has the turn.
    func lookIntoLog() async {
        if case .diverged = state { return }
        do {
            try await catchUp()
            noteSuccess()
        } catch is CancellationError {
            return
        } catch {
            note(error)
        }
    }

    private func noteSuccess() {
        let before = memory.withLock { memory in
            defer { memory.state = .following }
            return memory.state
        }
        guard case .away = before else { return }
        logger.info("the log of the settings can be used again")
    }

    /// Notes why settings cannot be followed or changed, and logs the reason when it is new.
    func note(_ error: any Error) {
        let next = Self.state(after: error)
        let before = memory.withLock { memory in
            defer { if !memory.state.isDiverged { memory.state = next } }
            return memory.state
        }
        switch (before, next) {
        case (.diverged, _), (.away, .away), (.outdated, .outdated): break
        case (_, .diverged(let reason)): logger.critical("\(reason)")
        case (_, .outdated(let reason)): logger.critical("this node keeps the settings that it has: \(reason)")
        default:
            logger.error(
                "settings cannot be changed, and changes of other nodes are missing", metadata: ["error": "\(error)"])
        }
    }

    private static func state(after error: any Error) -> State {
        if let error = error as? NewerSettings { return .outdated("\(error)") }
        return error is SettingsDivergence ? .diverged(stopped(error)) : .away("\(error)")
    }

    private static func stopped(_ error: any Error) -> String {
        "this node does not follow the settings of the cluster any more: \(error)"
    }

    private func catchUp() async throws {
        while true {
            let standing = try await log.standing()
            try await checkBeginning(standing)
            try await applyAll(through: standing)
            let (isDone, isEmpty) = memory.withLock { ($0.applied != nil && !$0.needsSnapshot, standing.first <= 1) }
            if isDone { return }
            guard isEmpty else { throw Self.withoutSnapshot(standing.first) }
            try await found(standing)
        }
    }

    private static func withoutSnapshot(_ place: UInt64) -> SettingsDivergence {
        SettingsDivergence("the log of the settings begins at \(place) without a snapshot")
    }

    private func applyAll(through standing: LogRange) async throws {
        memory.withLock { memory in
            guard memory.assembly.place + 1 < standing.first else { return }
            memory.assembly = ChangeAssembly(through: standing.first - 1)
            memory.needsSnapshot = true
        }
        while true {
            let place = memory.withLock { $0.assembly.place }
            guard place < standing.last else { return }
            let records = try await log.read(from: place + 1, atMost: Self.recordsAtOnce)
            guard records.first?.place == place + 1 else {
                throw LogError.unavailable("the log does not show the record \(place + 1) yet")
            }
            for record in records { try await take(record, of: standing.incarnation) }
        }
    }

    private static let recordsAtOnce = 100

    private func take(_ record: LogRecord, of incarnation: String) async throws {
        let part = try seal.open(record)
        var assembly = memory.withLock { $0.assembly }
        let whole = assembly.take(part)
        if let whole { try await take(whole, at: record.place, of: incarnation) }
        memory.withLock { [assembly] memory in
            memory.assembly = assembly
            memory.key.last = ChangeSeal.mark(of: record)
            if part.kind == .change { memory.plan.note(change: record) }
            if let whole, whole.kind == .snapshot { memory.plan.note(snapshotAt: whole.first) }
        }
    }

    /// A node that follows already has the content of a snapshot. A node that joins, or was away for too long, begins
    /// with the snapshot.
    private func take(_ whole: ChangeAssembly.Whole, at place: UInt64, of incarnation: String) async throws {
        let (applied, needsSnapshot) = memory.withLock { ($0.applied, $0.needsSnapshot) }
        switch whole.kind {
        case .change where needsSnapshot: throw Self.withoutSnapshot(whole.first)
        case .snapshot where applied != nil && !needsSnapshot: break
        case .change where applied != nil: try await apply(whole.bytes, at: place)
        case .snapshot, .change: try await join(with: whole.bytes, at: place, of: incarnation)
        }
    }

    /// Applies a change together with its place.
    /// - Parameter local: the further changes on this node that the change's author makes.
    func apply(
        _ changes: [UInt8], at place: UInt64, alongside local: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) async throws {
        guard let before = memory.withLock({ $0.applied }) else { return }
        try await write(AppliedChange(incarnation: before.incarnation, place: place)) { db in
            guard try AppliedChange.read(db) == before else {
                throw Self.otherProcess
            }
            try local(db)
            try SettingsRecording.apply(changes, db)
        }
    }

    /// Changes the settings of this node, and records their new place in the same transaction.
    func write(_ applied: AppliedChange, _ work: @escaping @Sendable (Database) throws -> Void) async throws {
        do {
            try await pool.write { db in
                try work(db)
                try applied.write(db)
            }
        } catch let error as SettingsDivergence {
            throw SettingsDivergence("the change \(applied.place): \(error)")
        }
        memory.withLock { memory in
            memory.applied = applied
            memory.assembly = ChangeAssembly(through: applied.place)
            memory.needsSnapshot = false
            memory.hasNews = true
        }
    }
}
