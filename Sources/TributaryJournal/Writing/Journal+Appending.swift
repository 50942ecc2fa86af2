extension Journal {
    /// Adds a record and returns its sequence. On return the record has the durability of `JournalOptions.durability`.
    ///
    /// A snapshot goes before the record, in the same write: a record that is there after a crash has its snapshot.
    /// - Parameters:
    ///   - payload: at most `JournalLimits.payloadBytes`; may be empty.
    ///   - tag: where the record came from.
    ///   - snapshot: the state at this record, which `snapshot` returns from now on; same limit.
    /// - Throws: `.noSpace` and the like; the record is then not in the journal, and the next one can be tried. With
    ///   `.groupCommit` a record that was written and could not be brought to the medium may still be there.
    @discardableResult
    public func append(
        _ payload: [UInt8], tag: JournalTag? = nil, snapshot: [UInt8]? = nil
    ) throws(JournalError) -> UInt64 {
        try append(Entry(payload, tag: tag, snapshot: snapshot))
    }

    /// Adds a record from borrowed bytes; they are copied before this returns.
    @discardableResult
    public func append(
        _ payload: UnsafeRawBufferPointer, tag: JournalTag? = nil, snapshot: [UInt8]? = nil
    ) throws(JournalError) -> UInt64 {
        try append(Entry(payload, tag: tag, snapshot: snapshot))
    }

    /// Replaces the snapshot without adding a record.
    public func appendSnapshot(_ snapshot: [UInt8]) throws(JournalError) {
        try append(Entry(nil, snapshot: snapshot))
    }

    /// Makes sure that sequences up to and including this one are never given to a record again.
    ///
    /// For an owner that knows from another source of records that a power cut took from this journal.
    public func reserve(through sequence: UInt64) throws(JournalError) {
        var entry = try Entry(nil)
        let reserved = try state.withLock { state throws(JournalError) -> Appended? in
            try state.checkOpen()
            guard sequence < JournalLimits.sequence else {
                throw JournalError(.sequenceOutOfRange, "\(sequence) is beyond the last sequence")
            }
            guard sequence >= state.next else { return nil }
            return try begin(state.header(from: sequence + 1), with: &entry, &state)
        }
        // The file that was written to before is closed here, outside the lock.
        withExtendedLifetime(reserved) {}
    }

    /// The results of an append that are handled outside of the lock.
    struct Appended {
        let sequence: UInt64
        /// The number of the write, for callers that wait until it is on the medium.
        let write: UInt64
        /// To be closed outside the lock.
        var retired: OpenFile?
        /// The owner has not kept up with `prepare()`, so the caller has to look after the bound.
        var isBehind = false
    }

    @discardableResult
    private func append(_ entry: consuming Entry) throws(JournalError) -> UInt64 {
        let appended = try write(entry)
        if durability == .groupCommit { try commit.wait(for: appended.write) }
        return appended.sequence
    }

    /// Appends without waiting for a group's sync.
    ///
    /// Takes over the entry, so that its bytes are numbered in place.
    func write(_ entry: consuming Entry) throws(JournalError) -> Appended {
        var entry = entry
        let now = self.now() / 1000
        let appended = try state.withLock { state throws(JournalError) in
            try state.checkOpen()
            try verifyLease(state.folderLock)
            guard state.next < JournalLimits.sequence else {
                throw JournalError(.sequenceOutOfRange, "all sequences are used up")
            }
            switch state.placement(of: entry.byteCount(overhead: overhead), now: now) {
            case .active(let file, let offset):
                return try write(&entry, to: file, at: offset, &state)
            case .newSegment(let header):
                return try begin(header, with: &entry, &state)
            }
        }
        // Only when no other thread does it, because a caller must not wait for another's file work.
        if appended.isBehind { _ = maintenance.tryWithLock { trim(&$0, now: now) } }
        return appended
    }

    private func write(
        _ entry: inout Entry, to file: OpenFile, at offset: Int, _ state: inout JournalState
    ) throws(JournalError) -> Appended {
        let bytes = try isPlain ? entry.numbered(state.next, check: check) : entry.finished(state.next, key: key)
        try write(bytes, to: file, at: offset, &state)
        state.appended(entry, bytes: bytes.count)
        return Appended(sequence: state.next - 1, write: state.written)
    }

    /// Writes frames to the end of the active segment; after a failure none of them is there.
    func write(
        _ bytes: [UInt8], to file: OpenFile, at offset: Int, _ state: inout JournalState
    ) throws(JournalError) {
        do {
            try file.write(bytes, at: offset)
        } catch {
            undo(file, at: offset, &state)
            throw error
        }
        if durability == .everyAppend {
            do {
                try file.sync()
            } catch {
                // After a failed sync the system may take the lost pages for written, so no other record goes there.
                undo(file, at: offset, &state)
                _ = state.endSegment()
                throw error
            }
        }
    }

    /// Cuts off the rest of a failed write; a file that cannot be cut is not written to again.
    private func undo(_ file: OpenFile, at offset: Int, _ state: inout JournalState) {
        do {
            try file.truncate(to: offset)
        } catch {
            _ = state.endSegment()
        }
    }

    func begin(
        _ header: SegmentHeader, with entry: inout Entry, _ state: inout JournalState
    ) throws(JournalError) -> Appended {
        let isBehind = state.spare == nil || state.isOver
        try verifyFolder(state.folderLock)
        var header = header
        header.storedAt = now() / 1000
        header.keyCheck = key.seal?.keyCheck
        let bytes = try header.encoded() + entry.finished(header.first, key: key, standing: state.snapshot)
        let spare = try takeSpare(&state)
        let segmentPath = path(FileName.segment(header.first))
        do {
            // The name before the bytes: what stays behind after a failure is an empty file, which means nothing.
            try files.moveFile(path(spare.name), to: segmentPath)
            if durability.survivesPowerLoss { try files.syncFolder(folder) }
            try spare.file.write(bytes, at: 0)
            if durability.survivesPowerLoss { try spare.file.sync() }
        } catch {
            try? spare.file.truncate(to: 0)
            // One of the two names is there. If it stays, the next segment replaces it or the next opening deletes it.
            try? files.removeFile(segmentPath)
            try? files.removeFile(path(spare.name))
            throw error
        }
        let retired = state.began(header, spare.file, with: entry, bytes: bytes.count)
        return Appended(
            sequence: state.next - 1, write: state.written, retired: retired, isBehind: isBehind)
    }

    private func takeSpare(_ state: inout JournalState) throws(JournalError) -> JournalState.Spare {
        if let spare = state.spare {
            state.spare = nil
            return spare
        }
        return try makeSpare(number: state.takeSpareNumber())
    }
}
