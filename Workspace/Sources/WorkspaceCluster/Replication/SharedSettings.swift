import Foundation
import GRDB
import Logging
import Synchronization
import WorkspaceCore
import WorkspaceServer

/// The settings that the nodes of a cluster share.
///
/// Each node has all of them in its own database. A node first tries a change out in its database and undoes it. It
/// seals the difference, with the entry in the audit log, and appends it to a log. Every node applies the changes in
/// the order of the log. The log takes a record only directly after the last record that the node has applied. So each
/// change is made to the settings that its author saw, and of two nodes that change something at once, one tries again.
///
/// While the log is away, settings can be read and not changed. Methods may be called from any task.
final class SharedSettings: SettingsChanges {
    /// The state of the node towards the log.
    enum State: Sendable, Equatable {
        /// It has not reached the log since it started.
        case starting
        /// It applies the changes as they come.
        case following
        /// The log cannot be used now.
        case away(String)
        /// A newer version of the server changed the settings. The node keeps the earlier settings until its program is
        /// replaced.
        case outdated(String)
        /// The settings of the node do not match the log. That lasts until the node starts again.
        case diverged(String)

        var isDiverged: Bool {
            if case .diverged = self { true } else { false }
        }
    }

    /// Times and sizes.
    struct Options: Sendable {
        /// The time between two looks into the log.
        var pause = Duration.milliseconds(200)
        /// The longest time between two looks while the log cannot be used.
        var longestPause = Duration.seconds(5)
        /// How often a change is tried out while other nodes change something.
        var attempts = 20
        /// How often a log has to end too early before the node believes it. Servers that have just chosen a leader may
        /// give an old end.
        var shortLogs = 10
        /// Bytes of a change in one record. A server of NATS takes 1 MB.
        var partBytes = 512 << 10
        /// Records and bytes of changes after which the coordinating node writes a snapshot.
        var recordsForSnapshot = 2_000
        var bytesForSnapshot = 32 << 20
        var wait: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    }

    struct Memory: Sendable {
        var state = State.starting
        /// This node's progress, as the database has it; nil before the node has joined.
        var applied: AppliedChange?
        var assembly = ChangeAssembly(through: 0)
        var key: KeyChoice
        var plan: SnapshotPlan
        /// Whether changes after the place of this node were trimmed, so that it needs a snapshot.
        var needsSnapshot = false
        /// The place before which this node has trimmed the log.
        var trimmed: UInt64 = 0
        var isTrimRefused = false
        var isCoordinator: @Sendable () -> Bool = { false }
        var shortLogs = 0
        var isFollowed = false
        /// Whether changes were applied and the calls of `whenChanged` have not been made yet.
        var hasNews = false
        var listeners: [@Sendable () async -> Void] = []
    }

    let pool: DatabasePool
    let log: any ChangeLog
    let seal: ChangeSeal
    let logger: Logger
    let options: Options
    let memory: Mutex<Memory>
    /// The turn to read the log, to apply changes or to make one. One task has it at a time.
    let turns = Turns()

    /// - Parameter pool: the database with the tables of settings.
    init(
        _ pool: DatabasePool, log: any ChangeLog, seal: ChangeSeal, logger: Logger, options: Options = Options()
    ) {
        (self.pool, self.log, self.seal, self.logger, self.options) = (pool, log, seal, logger, options)
        memory = Mutex(
            Memory(
                key: KeyChoice(own: seal.marks.first ?? []),
                plan: SnapshotPlan(records: options.recordsForSnapshot, bytes: options.bytesForSnapshot)))
    }

    var isShared: Bool { true }

    var state: State { memory.withLock { $0.state } }

    var isOutdated: Bool {
        if case .outdated = state { true } else { false }
    }

    /// The place of the last change that this node has applied; 0 before it has joined.
    var place: UInt64 {
        if let applied = memory.withLock({ $0.applied }) { return applied.place }
        // While the log has been away since the start, only the database knows.
        return (try? pool.read(AppliedChange.read))?.place ?? 0
    }

    /// Whether changes are sealed with the key of `--cluster-key-file`, and not with an old one.
    var usesNewKey: Bool { memory.withLock { $0.key.mark == $0.key.own } }

    /// Whether the log has records of an old key: then nodes need that key. Nil when the log cannot be asked now.
    func needsOldKey() async -> Bool? {
        // A key that was replaced does not come back, so the first record decides.
        guard let standing = try? await log.standing(),
            let records = try? await log.read(from: standing.first, atMost: 1)
        else { return nil }
        guard let first = records.first else { return false }
        return ChangeSeal.mark(of: first) != seal.marks.first
    }

    /// Notes which keys the nodes of the cluster have.
    /// - Parameter readers: the marks of their keys, for each node that answered.
    func note(readers: [[[UInt8]]]) {
        let (before, after) = memory.withLock { memory in
            let before = memory.key.mark
            memory.key.note(readers)
            return (before, memory.key.mark)
        }
        if before != after { logger.notice("all nodes have the new key of the cluster; changes are sealed with it") }
    }

    /// Adds a call to make after settings have changed, here or on another node. It must not change settings, and may
    /// be called twice at once.
    func whenChanged(_ call: @escaping @Sendable () async -> Void) { memory.withLock { $0.listeners.append(call) } }

    func changeNow<T>(_ update: (Database) throws -> T) throws -> T {
        throw WorkspaceError(.dataFolder, "the settings of a cluster can only be changed while the server runs")
    }

    /// A change that has begun goes on when the caller's task is cancelled.
    func change<T: Sendable>(
        alongside local: @escaping @Sendable (Database) throws -> Void,
        _ update: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        let result = await Task { try await turns.run { try await changeInTurn(local, update) } }.result
        await tellListeners()
        return try result.get()
    }

    func tellListeners() async {
        let listeners = memory.withLock { memory in
            defer { memory.hasNews = false }
            return memory.hasNews ? memory.listeners : []
        }
        for listener in listeners { await listener() }
    }

    private func changeInTurn<T: Sendable>(
        _ local: @escaping @Sendable (Database) throws -> Void, _ update: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        for attempt in 1...options.attempts {
            let fault = try await reachLog()
            let (value, changes) = try await SettingsRecording.rehearse(in: pool, alongside: local, update)
            if changes.isEmpty { return value }
            if let fault { throw Refusal.cannotChange(fault) }
            if try await commit(changes, local) { return value }
            try await options.wait(.milliseconds(5 * attempt))
        }
        throw Refusal.cannotChange("other nodes change settings all the time")
    }

    /// Brings the node up to date.
    /// - Returns: why the log cannot be used; nil when it can.
    private func reachLog() async throws -> String? {
        let (state, isFollowed) = memory.withLock { ($0.state, $0.isFollowed) }
        // The task that runs `follow` notices when the log is back, so a change need not wait for it.
        if case .away(let reason) = state, isFollowed { return reason }
        if case .outdated(let reason) = state { return reason }
        await lookIntoLog()
        switch self.state {
        case .diverged(let reason): throw Refusal.cannotChange(reason)
        case .away(let reason), .outdated(let reason): return reason
        case .starting, .following: return nil
        }
    }

    /// Appends a change that was tried out, and applies it.
    /// - Returns: false when the log ends at another place; then nothing was changed.
    private func commit(
        _ changes: [UInt8], _ local: @escaping @Sendable (Database) throws -> Void
    ) async throws -> Bool {
        guard let place = try await append(changes) else { return false }
        do {
            try await apply(changes, at: place, alongside: local)
        } catch {
            // The change is in the log, so this node applies it as soon as it can.
            note(error)
            throw Refusal.mayHaveChanged("they were changed, but this node cannot apply that: \(error)")
        }
        return true
    }

    /// - Returns: the place of the change; nil when the log ends at another place.
    /// - Throws: `Refusal`. The change is not in the log, unless the error says that it may be.
    private func append(_ changes: [UInt8]) async throws -> UInt64? {
        var last = memory.withLock { $0.assembly.place }
        let parts = ChangePart.parts(of: changes, size: options.partBytes)
        guard parts.count <= ChangePart.mostParts else { throw Refusal.cannotChange("the change is too large") }
        for part in parts {
            do {
                guard let place = try await append(part, after: last) else { return nil }
                guard place == last + 1 else { throw LogError.broken("the place \(place) follows \(last)") }
                last = place
            } catch {
                note(error)
                // A change without its last part does not count.
                guard case LogError.unavailable = error, part.index == part.count - 1 else {
                    throw Refusal.cannotChange("\(error)")
                }
                throw Refusal.mayHaveChanged("\(error)")
            }
        }
        return last
    }

    /// Seals a part and appends it.
    /// - Returns: its place; nil when the log ends at another place.
    /// - Throws: `LogError.unavailable` when the part may be in the log.
    func append(_ part: ChangePart, after last: UInt64) async throws -> UInt64? {
        let mark = memory.withLock { $0.key.mark }
        let record = try seal.seal(part, after: last, with: mark)
        guard let place = try await append(record, after: last) else { return nil }
        memory.withLock { memory in
            memory.key.last = mark
            if part.kind == .change { memory.plan.note(change: LogRecord(place: place, bytes: record)) }
        }
        return place
    }

    /// Appends a record, and looks for it when the answer does not come.
    private func append(_ record: [UInt8], after last: UInt64) async throws -> UInt64? {
        do {
            return try await log.append(record, id: UUID().uuidString, after: last)
        } catch let error as LogError {
            guard case .unavailable = error else { throw error }
            // A record at this place, if there is one, stays there.
            guard let found = try? await log.read(from: last + 1, atMost: 1).first else { throw error }
            return found.bytes == record ? found.place : nil
        }
    }
}

extension Refusal {
    fileprivate static func cannotChange(_ reason: String) -> Refusal {
        later("the settings cannot be changed now: \(reason); nothing was changed")
    }

    fileprivate static func mayHaveChanged(_ reason: String) -> Refusal {
        later("the settings may have been changed: \(reason); look at them before you try again")
    }

    private static func later(_ message: String) -> Refusal {
        Refusal(.unavailable, message, retryAfter: 5)
    }
}
