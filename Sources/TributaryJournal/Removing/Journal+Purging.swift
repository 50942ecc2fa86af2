extension Journal {
    /// Deletes all records permanently, including their bytes on disk.
    ///
    /// Snapshot and epoch stay, and sequences are not used again.
    /// - Parameter markData: bytes to store beside the watermark, as in `removeThrough`.
    /// - Throws: the system's error. Or `.detached` when the files were deleted or replaced; they are left alone then.
    ///   In any case the records are not read any more, even after another opening if files can be renamed. But their
    ///   bytes are still on disk: the journal `owesPurge` until `finishPurge()` succeeds.
    public func purge(markData: [UInt8]? = nil) throws(JournalError) {
        try purging.withLock { _ throws(JournalError) in
            let last = try state.withLock { state throws(JournalError) in
                try state.checkOpen()
                return state.next - 1
            }
            do throws(JournalError) {
                try emptyFiles(markData)
            } catch let error where error.reason == .detached {
                // The files were deleted, and other files may have their names.
                state.withLock { $0.gaveUp(through: last) }
                throw error
            } catch {
                guard giveUp(through: last, deletesFiles: error.reason == .noSpace) else { throw error }
                // There is room on the disk now.
                try emptyFiles(markData)
            }
            state.withLock { $0.owesPurge = false }
        }
    }

    /// Whether a purge could not be stored on disk.
    public var owesPurge: Bool { state.withLock { $0.owesPurge } }

    /// Stores a purge on disk that failed before; does nothing when none failed.
    ///
    /// Records that came after the purge stay. When they share a file with purged records, the bytes of the purged
    /// records are deleted with them later.
    /// - Throws: the system's error. Call it again then.
    public func finishPurge() throws(JournalError) {
        try purging.withLock { _ throws(JournalError) in
            guard owesPurge else { return }
            try removeThrough(0)
            try endRecords()
            state.withLock { $0.owesPurge = false }
            try removeThrough(0)
        }
    }

    private func emptyFiles(_ markData: [UInt8]?) throws(JournalError) {
        var last: UInt64
        do {
            last = try endRecords()
        } catch let error where error.reason == .noSpace {
            // The existing records fill the disk. Without them there is room.
            try removeThrough(.max, markData: markData)
            last = try endRecords()
        }
        try removeThrough(last, markData: markData)
    }

    /// Prevents that records up to that one are read any more, whatever the disk allows. When a file can be renamed,
    /// the mark's name says so to the next opening.
    /// - Parameter deletesFiles: whether files without other records are deleted at once, because they may fill the
    ///   disk. An opening after a crash that finds the old mark reports their records as missing.
    /// - Returns: whether files were deleted.
    private func giveUp(through sequence: UInt64, deletesFiles: Bool) -> Bool {
        maintenance.withLock { upkeep in
            let (name, watermark) = state.withLock { state in
                state.gaveUp(through: sequence)
                return (state.markName, state.watermark)
            }
            if let new = try? Mark.rename(name, through: watermark, in: folder, durability, files) {
                state.withLock { $0.markName = new }
            }
            guard deletesFiles, isOpeningFinished else { return false }
            let names = state.withLock { $0.marked($0.mark) }
            remove(names, &upkeep)
            return !names.isEmpty
        }
    }

    /// Ends the active segment unless it is blank. Another blank one could not have the same name, so it would cost a
    /// sequence, and a record that waits in memory has that sequence already. Returns the last sequence before it.
    @discardableResult
    private func endRecords() throws(JournalError) -> UInt64 {
        let blank = state.withLock { state in
            state.isActiveSegmentBlank(overhead: overhead) ? state.next - 1 : nil
        }
        return if let blank { blank } else { try beginEmptySegment() }
    }

    /// Ends the active segment; the next one begins with the snapshot. Returns the last sequence before it.
    @discardableResult
    func beginEmptySegment() throws(JournalError) -> UInt64 {
        var entry = try Entry(nil)
        let begun = try state.withLock { state throws(JournalError) -> Appended? in
            try state.checkOpen()
            guard !state.segments.isEmpty else { return nil }
            return try begin(state.header(from: state.next), with: &entry, &state)
        }
        // The earlier file is closed here, outside of the lock.
        return withExtendedLifetime(begun) { begun?.sequence ?? 0 }
    }
}
