/// Syncs written records to the medium.
struct JournalSync: Sendable {
    let folder: String
    let options: JournalOptions
    let files: any FileSystem
    let state: Locked<JournalState>

    /// The writes that a sync covered, and its result.
    struct Outcome: Sendable {
        /// The number of the last write before the sync; the highest possible number when the journal is closed.
        let through: UInt64
        let result: Result<Void, JournalError>
    }

    /// Syncs. That takes as long as the medium needs; the lock is not held meanwhile.
    func run() -> Outcome {
        let (isClosed, active, unsynced, written, isNamed) = state.withLock { state in
            (state.isClosed, state.activeFile, state.unsynced, state.written, state.isNamed)
        }
        guard !isClosed else { return Outcome(through: .max, result: .failure(.closed)) }
        return Outcome(
            through: written,
            result: Result { () throws(JournalError) in
                for first in unsynced.sorted() { try syncSegment(first) }
                try sync(active)
                // With the other options, the names were synced when the segments began, and those above at the
                // opening.
                if options.durability == .process { try files.syncFolder(folder) }
                if !isNamed { try files.syncFolders(above: folder) }
                state.withLock { $0.synced(unsynced) }
            })
    }

    private func sync(_ active: OpenFile?) throws(JournalError) {
        do {
            try active?.sync()
        } catch {
            // After a failed sync the system may treat the lost pages as written, so no further record goes there.
            let ended = state.withLock { $0.activeFile === active ? $0.endSegment() : nil }
            withExtendedLifetime(ended) {}
            throw error
        }
    }

    private func syncSegment(_ first: UInt64) throws(JournalError) {
        do {
            try OpenFile(folder + "/" + FileName.segment(first), .update, in: files).sync()
        } catch {
            // A missing file is no failure: it was removed meanwhile.
            guard error.reason == .missing else { throw error }
        }
    }
}
