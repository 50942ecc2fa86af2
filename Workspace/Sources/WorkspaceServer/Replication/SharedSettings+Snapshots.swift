import Logging
import Synchronization

extension SharedSettings {
    /// Lets this node write snapshots and trim the log while it coordinates. It does both while it follows.
    ///
    /// Two nodes that do it at once, and one that ends halfway, do no harm: a snapshot counts only when its records follow each
    /// other, and nobody who follows applies one.
    func coordinate(when isCoordinator: @escaping @Sendable () -> Bool) {
        memory.withLock { $0.isCoordinator = isCoordinator }
    }

    /// Does what is due. The caller has the turn, and has just looked into the log.
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

    /// Appends all settings behind what this node has applied, unless another node changes something meanwhile.
    private func writeSnapshot() async throws {
        let content = try await SettingsRecording.content(of: pool)
        let before = memory.withLock { $0.assembly.place }
        var last = before
        for part in ChangePart.parts(of: content, size: options.partBytes, kind: .snapshot) {
            // Without its last part it is none. It is tried again after the next look.
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
            // It stays so. The log is only longer than it has to be.
            memory.withLock { $0.isTrimRefused = true }
            logger.warning("the log of the settings is kept whole", metadata: ["reason": "\(reason)"])
        } catch {
            // It is tried again after the next look.
            logger.debug("the log of the settings cannot be trimmed now", metadata: ["error": "\(error)"])
        }
    }
}
