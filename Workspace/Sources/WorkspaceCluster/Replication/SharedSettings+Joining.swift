import GRDB
import Logging
import Synchronization
import WorkspaceCore
import WorkspaceServer

extension SharedSettings {
    /// Reads this node's progress once, and checks each time whether this is still the log that the node follows.
    func checkBeginning(_ standing: LogRange) async throws {
        let isKnown = memory.withLock { $0.applied != nil }
        let applied = try await pool.read(AppliedChange.read)
        guard let applied else { return }
        guard applied.incarnation == standing.incarnation else {
            throw SettingsDivergence(
                "the log of the settings was deleted and made again, and this node has applied \(applied.place) changes of the one before"
            )
        }
        try checkLength(standing, applied)
        guard !isKnown else { return }
        // A node with another key would append records that the others cannot open.
        if applied.place >= standing.first, let record = try await log.read(from: applied.place, atMost: 1).first {
            _ = try seal.open(record)
            memory.withLock { $0.key.last = ChangeSeal.mark(of: record) }
        }
        memory.withLock { memory in
            memory.applied = applied
            memory.assembly = ChangeAssembly(through: applied.place)
        }
    }

    private func checkLength(_ standing: LogRange, _ applied: AppliedChange) throws {
        let known = memory.withLock { max($0.assembly.place, applied.place) }
        guard standing.last < known else {
            memory.withLock { $0.shortLogs = 0 }
            return
        }
        let count = memory.withLock { memory in
            memory.shortLogs += 1
            return memory.shortLogs
        }
        let error = LogError.wentBack(last: standing.last, known: known)
        guard count >= options.shortLogs else { throw error }
        throw SettingsDivergence("\(error)")
    }

    static let otherProcess = SettingsDivergence("another process has changed the settings in this folder")

    /// Makes the settings of this node the first change of an empty log.
    ///
    /// The settings are never empty, because they include the secret of health reports. So all nodes have the same
    /// secret.
    func found(_ standing: LogRange) async throws {
        let content = try await SettingsRecording.content(of: pool)
        var last = memory.withLock { $0.assembly.place }
        for part in ChangePart.parts(of: content, size: options.partBytes) {
            // Another node was faster. This node joins it, or reports why it cannot.
            guard let place = try await append(part, after: last) else { return }
            last = place
        }
        try await write(AppliedChange(incarnation: standing.incarnation, place: last)) { _ in }
        logger.info("the settings of this node are those of the cluster now")
    }

    /// Takes over the first change that another node made, or a snapshot. A node that followed before keeps its counts.
    ///
    /// That other node may be this one: when it ended before it could note that the log has its settings.
    func join(with first: [UInt8], at place: UInt64, of incarnation: String) async throws {
        let known = memory.withLock { $0.applied }
        try await write(AppliedChange(incarnation: incarnation, place: place)) { db in
            guard try AppliedChange.read(db) == known else { throw Self.otherProcess }
            let (before, hasOwn) = (try SettingsRecording.rows(db), try SettingsRecording.hasSettings(db))
            try SettingsRecording.replace(by: first, db)
            if known == nil, hasOwn, try SettingsRecording.rows(db) != before {
                throw SettingsDivergence(
                    """
                    this folder has settings of its own, and the cluster has others; start the node with an empty folder, \
                    or make these settings those of a new cluster
                    """)
            }
        }
    }
}
