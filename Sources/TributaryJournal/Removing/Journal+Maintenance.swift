extension Journal {
    /// Does work in advance that an append would otherwise do: drops the oldest segments when a limit is exceeded,
    /// makes the spare file for the next segment, and begins that segment when the present one has become old.
    ///
    /// Call it regularly off the caller's path, for instance once for every batch that was read. Cheap when there is
    /// nothing to do.
    public func prepare() throws(JournalError) {
        let now = self.now() / 1000
        try maintenance.withLock { upkeep throws(JournalError) in
            try state.withLock { state throws(JournalError) in try state.checkOpen() }
            try finishOpening()
            trim(&upkeep, now: now)
            catchUp(&upkeep)
            try readySpare()
            if state.withLock({ $0.isDue(now: now) }) {
                try beginEmptySegment()
                try readySpare()
            }
        }
    }

    /// Makes the spare file when there is none. The caller holds the maintenance lock.
    private func readySpare() throws(JournalError) {
        let number = state.withLock { $0.spare == nil ? $0.takeSpareNumber() : nil }
        guard let number else { return }
        try verifyFolder(state.withLock { $0.folderLock })
        let spare = try makeSpare(number: number)
        state.withLock { $0.spare = spare }
    }

    /// Removes all records up to and including that sequence permanently.
    ///
    /// The watermark is on disk before the first file is deleted. Segments without other records are deleted, except
    /// the newest. An unused sequence counts as the last one, and one that is already removed does nothing. When
    /// another process has deleted the files (see `verify()`), there is nothing on disk to remove.
    /// - Parameter markData: bytes to store beside the watermark, at most `JournalLimits.markDataBytes`; nil keeps the
    ///   present ones. They and the watermark change together.
    /// - Throws: the system's error when the watermark could not be stored. Then nothing is removed.
    public func removeThrough(_ sequence: UInt64, markData: [UInt8]? = nil) throws(JournalError) {
        if let markData, markData.count > JournalLimits.markDataBytes {
            throw JournalError(.tooLarge, "\(markData.count) bytes are more than the mark may hold")
        }
        try maintenance.withLock { upkeep throws(JournalError) in
            try state.withLock { state throws(JournalError) in try state.checkOpen() }
            try finishOpening()
            let (old, last, isBehind) = try state.withLock { state throws(JournalError) in
                try state.checkOpen()
                return (state.mark, state.next - 1, state.owesPurge || state.owesMark)
            }
            var new = old
            new.watermark = max(old.watermark, min(sequence, last))
            if let markData { new.data = markData }
            do throws(JournalError) {
                if new != old || isBehind { try write(new) }
            } catch let error where error.reason == .detached {
                // No file of the journal is on disk any more, and the files there belong to others.
                _ = state.withLock { $0.marked(new) }
                return
            }
            remove(state.withLock { $0.marked(new) }, &upkeep)
        }
    }

    /// Syncs all appended records to the medium, so that they survive a power cut.
    ///
    /// That takes as long as the medium needs. Appends go on meanwhile.
    public func sync() throws(JournalError) { try commit.syncing.run().result.get() }

    /// A new empty file. The caller holds one of the locks, so it also chooses the number.
    func makeSpare(number: UInt64) throws(JournalError) -> JournalState.Spare {
        let name = FileName.spare(number)
        return JournalState.Spare(name: name, file: try OpenFile(path(name), .create, in: files))
    }

    /// Drops the oldest segments when there are too many or they are too old. The caller holds the maintenance lock.
    ///
    /// Does nothing before all segments were read; an append does not wait for that.
    func trim(_ upkeep: inout Upkeep, now: Int64) {
        guard isOpeningFinished, let excess = state.withLock({ $0.isClosed ? nil : $0.excess(now: now) }),
            (try? verifyFolder(state.withLock { $0.folderLock })) != nil
        else { return }
        // The disk may be too full for the mark because of these files, so it is written after their deletion when it
        // cannot be written before. Without the mark, the next opening reports the dropped records as missing.
        let isHigher = excess.mark.watermark > state.withLock { $0.watermark }
        let isStored = !isHigher || (try? write(excess.mark)) != nil
        upkeep.add(excess.gaps)
        upkeep.stateGaps(note)
        remove(state.withLock { $0.dropped(excess) }, &upkeep)
        guard !isStored else { return }
        state.withLock { $0.owesMark = true }
        storeOwedMark()
    }

    /// Does what the disk refused before.
    func catchUp(_ upkeep: inout Upkeep) {
        let (owesMark, lock) = state.withLock { ($0.owesMark, $0.folderLock) }
        // Files with these names may be another process's by now.
        guard owesMark || !upkeep.isEmpty, (try? verifyFolder(lock)) != nil else { return }
        storeOwedMark()
        upkeep.stateGaps(note)
        remove([], &upkeep)
    }

    private func storeOwedMark() {
        guard let mark = state.withLock({ $0.owesMark ? $0.mark : nil }) else { return }
        try? write(mark)
    }

    /// Stores in the header of a segment that nothing is missing before it, so that an opening does not report the
    /// dropped records again. This comes before the deletion: while the files are there, it does no harm.
    /// - Returns: false when the disk refuses it now. Until it is stored, an opening reports the records again.
    private func note(_ gap: JournalState.Gap) -> Bool {
        do {
            let file = try OpenFile(path(gap.segment.name), .update, in: files)
            let bytes = try file.read(at: 0, count: gap.segment.start)
            guard case .valid(var header) = SegmentHeader.read(bytes) else { return true }
            header.previous = gap.previous
            header.followsGap = true
            try file.write(header.encoded(), at: 0)
            return true
        } catch {
            return error.reason == .missing
        }
    }

    private func write(_ mark: Mark) throws(JournalError) {
        let (name, lock) = state.withLock { ($0.markName, $0.folderLock) }
        try verifyFolder(lock)
        let written = try mark.write(in: folder, over: name, durability, files)
        state.withLock { state in
            state.markName = written
            state.owesMark = false
        }
    }

    /// Deletes these files, and files that it could not delete before.
    func remove(_ names: [String], _ upkeep: inout Upkeep) {
        upkeep.files += names
        guard !upkeep.files.isEmpty, (try? verifyFolder(state.withLock { $0.folderLock })) != nil else { return }
        upkeep.files.removeAll { name in
            do throws(JournalError) {
                try files.removeFile(path(name))
                return true
            } catch {
                return error.reason == .missing
            }
        }
    }
}
