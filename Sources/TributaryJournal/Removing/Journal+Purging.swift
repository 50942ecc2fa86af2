extension Journal {
    /// Removes all records for good, their bytes on disk too.
    ///
    /// Snapshot and epoch stay, and sequences are not used again.
    /// - Parameter markData: bytes to keep beside the watermark, as in `removeThrough`.
    /// - Throws: what the system reported, or `.detached` when the files were deleted or replaced, which are left alone
    ///   then. In any case nobody reads the records any more, also after the next opening if files can be renamed; but
    ///   their bytes are still on disk. The journal `owesPurge` until `finishPurge()` succeeds.
    public func purge(markData: [UInt8]? = nil) throws(JournalError) {
        try purging.withLock { _ throws(JournalError) in
            let last = try state.withLock { state throws(JournalError) in
                try state.checkOpen()
                return state.next - 1
            }
            do throws(JournalError) {
                try emptyFiles(markData)
            } catch let error where error.reason == .detached {
                // Where the files were deleted, others may have their names.
                state.withLock { $0.gaveUp(through: last) }
                throw error
            } catch {
                guard giveUp(through: last, deletesFiles: error.reason == .noSpace) else { throw error }
                // There is room now.
                try emptyFiles(markData)
            }
            state.withLock { $0.owesPurge = false }
        }
    }

    /// Whether a purge could not bring to the disk what it gave up.
    public var owesPurge: Bool { state.withLock { $0.owesPurge } }

    /// Brings to the disk what a purge could not; does nothing when none failed.
    ///
    /// Records that came after the purge stay. Where such ones share a file with what was given up, its bytes go with
    /// them.
    /// - Throws: what the system reported; to be called again then.
    public func finishPurge() throws(JournalError) {
        try purging.withLock { _ throws(JournalError) in
            guard owesPurge else { return }
            try removeThrough(0)
            try beginEmptySegment()
            state.withLock { $0.owesPurge = false }
            try removeThrough(0)
        }
    }

    private func emptyFiles(_ markData: [UInt8]?) throws(JournalError) {
        var last: UInt64
        do {
            last = try beginEmptySegment()
        } catch let error where error.reason == .noSpace {
            // What is there already fills the disk: without it there is room.
            try removeThrough(.max, markData: markData)
            last = try beginEmptySegment()
        }
        try removeThrough(last, markData: markData)
    }

    /// Lets nobody read records up to that one any more, whatever the disk says; where it can be renamed, the mark's
    /// name tells it to the next opening.
    /// - Parameter deletesFiles: files that hold nothing else go at once, because they may be what fills the disk. An
    ///   opening after a crash that finds the old mark reports their records as missing.
    /// - Returns: whether files were deleted.
    private func giveUp(through sequence: UInt64, deletesFiles: Bool) -> Bool {
        maintenance.withLock { undeleted in
            let (name, watermark) = state.withLock { state in
                state.gaveUp(through: sequence)
                return (state.markName, state.watermark)
            }
            if let new = try? Mark.rename(name, through: watermark, in: folder, durability, files) {
                state.withLock { $0.markName = new }
            }
            guard deletesFiles, isOpeningFinished else { return false }
            let names = state.withLock { $0.marked($0.mark) }
            remove(names, &undeleted)
            return !names.isEmpty
        }
    }

    /// Ends the segment that is written to; the next one begins with the snapshot. Returns the last sequence before it.
    @discardableResult
    func beginEmptySegment() throws(JournalError) -> UInt64 {
        var entry = try Entry(nil)
        let begun = try state.withLock { state throws(JournalError) -> Appended? in
            try state.checkOpen()
            guard !state.segments.isEmpty else { return nil }
            return try begin(state.header(from: state.next), with: &entry, &state)
        }
        // The file that was written to before is closed here, outside the lock.
        return withExtendedLifetime(begun) { begun?.sequence ?? 0 }
    }
}
