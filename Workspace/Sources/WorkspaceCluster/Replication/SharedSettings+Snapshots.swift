import Logging
import Synchronization
import WorkspaceCore
import WorkspaceServer

extension SharedSettings {
    /// Lets this node write snapshots and trim the log while it coordinates. It does both while it follows.
    ///
    /// Two nodes that do so at once do no harm, nor does a node that ends halfway. A snapshot counts only when its
    /// records follow each other, and nodes that follow apply no snapshot.
    func coordinate(when isCoordinator: @escaping @Sendable () -> Bool) {
        memory.withLock { $0.isCoordinator = isCoordinator }
    }

    /// Writes a snapshot and trims the log when these are due. The caller has the turn, and has just looked into the
    /// log.
    func maintainLog() async {
        let (state, isCoordinator) = memory.withLock { ($0.state, $0.isCoordinator) }
        guard case .following = state, isCoordinator() else { return }
        do {
            if memory.withLock({ $0.plan.isDue }) { try await writeSnapshot() }
        } catch {
            note(error)
        }
        await trim()
    }

    /// Appends all settings after the last change that this node has applied, unless another node changes something
    /// meanwhile.
    private func writeSnapshot() async throws {
        let content = try await SettingsRecording.content(of: pool)
        let before = memory.withLock { $0.assembly.place }
        var last = before
        for part in ChangePart.parts(of: content, size: options.partBytes, kind: .snapshot) {
            // A snapshot without its last part does not count. The node tries again after the next look.
            guard let place = try await append(part, after: last) else { return }
            last = place
        }
        memory.withLock { [last] memory in
            memory.assembly = ChangeAssembly(through: last)
            memory.plan.note(snapshotAt: before + 1)
        }
        logger.info("wrote a snapshot of the settings", metadata: ["place": "\(last)", "bytes": "\(content.count)"])
    }

    private func trim() async {
        let (place, trimmed, isRefused) = memory.withLock { ($0.plan.firstNeeded, $0.trimmed, $0.isTrimRefused) }
        guard let place, place > trimmed, !isRefused else { return }
        do {
            try await log.trim(before: place)
            memory.withLock { $0.trimmed = place }
        } catch LogError.refused(let reason) {
            // The node does not try again. The log is only longer than necessary.
            memory.withLock { $0.isTrimRefused = true }
            logger.warning("the log of the settings is kept whole", metadata: ["reason": "\(reason)"])
        } catch {
            // The node tries again after the next look.
            logger.debug("the log of the settings cannot be trimmed now", metadata: ["error": "\(error)"])
        }
    }
}
