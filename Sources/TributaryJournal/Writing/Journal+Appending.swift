extension Journal {
    /// Adds a record and returns its sequence. On return, the record has the durability of `JournalOptions.durability`.
    ///
    /// A snapshot is written before the record, in the same write. So a record that is there after a crash has its
    /// snapshot.
    /// - Parameters:
    ///   - payload: at most `JournalLimits.payloadBytes`; may be empty.
    ///   - tag: the origin of the record.
    ///   - snapshot: the state at this record, which `snapshot` returns from now on; same limit.
    /// - Throws: `.noSpace` and others. The record is then not in the journal, and the next one can be tried. With
    ///   `.groupCommit`, a record that was written and could not be synced may still be there.
    @discardableResult
    public func append(
        _ payload: [UInt8], tag: JournalTag? = nil, snapshot: [UInt8]? = nil
    ) throws(JournalError) -> UInt64 {
        try finished(put(Entry(payload, tag: tag, snapshot: snapshot)))
    }

    /// Adds a record from borrowed bytes. They are copied before this returns.
    @discardableResult
    public func append(
        _ payload: UnsafeRawBufferPointer, tag: JournalTag? = nil, snapshot: [UInt8]? = nil
    ) throws(JournalError) -> UInt64 {
        try finished(put(Entry(payload, tag: tag, snapshot: snapshot)))
    }

    /// Replaces the snapshot without adding a record.
    public func appendSnapshot(_ snapshot: [UInt8]) throws(JournalError) {
        _ = try finished(put(Entry(nil, snapshot: snapshot)))
    }

    /// Adds a snapshot and a record, as `append` does; either can be missing. It leaves the work to `finish` that may take
    /// longer than one write, so the owner can hold a lock meanwhile.
    package func put(
        _ payload: [UInt8]?, tag: JournalTag?, snapshot: [UInt8]?
    ) throws(JournalError) -> Appended {
        guard let payload else { return try put(Entry(nil, snapshot: snapshot)) }
        return try put(Entry(payload, tag: tag, snapshot: snapshot))
    }

    /// Does the rest of an append: enforces the limits when the owner has not called `prepare()` often enough, and, with
    /// `.groupCommit`, waits until the bytes are on the medium.
    package func finish(_ appended: Appended) throws(JournalError) {
        enforceLimits(appended)
        if durability == .groupCommit { try commit.wait(for: appended.write) }
    }

    private func finished(_ appended: Appended) throws(JournalError) -> UInt64 {
        try finish(appended)
        return appended.sequence
    }

    func enforceLimits(_ appended: Appended) {
        guard appended.isBehind else { return }
        // Only when no other thread does it: a caller must not wait for another thread's file work.
        _ = maintenance.tryWithLock { trim(&$0, now: now() / 1000) }
    }

    /// Makes sure that sequences up to and including this one are never given to a record.
    ///
    /// For an owner that knows from another source about records that this journal lost in a power cut.
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
        // The earlier file is closed here, outside of the lock.
        withExtendedLifetime(reserved) {}
    }

    /// The results of an append that are handled outside of the lock.
    package struct Appended: Sendable {
        /// The sequence of the newest record.
        package let sequence: UInt64
        /// The number of the write, for callers that wait until it is on the medium.
        let write: UInt64
        /// A file to close outside of the lock.
        var retired: OpenFile?
        /// Whether the owner has not called `prepare()` often enough, so the caller has to enforce the limits.
        var isBehind = false

        init(_ sequence: UInt64, write: UInt64) { (self.sequence, self.write) = (sequence, write) }

        /// The result of an append to another kind of log, which leaves nothing to do.
        package init(sequence: UInt64) { self.init(sequence, write: 0) }
    }

    /// Appends without the work of `finish`. It takes over the entry, so it numbers the bytes in place.
    func put(_ entry: consuming Entry) throws(JournalError) -> Appended {
        var entry = entry
        let now = self.now() / 1000
        return try state.withLock { state throws(JournalError) in
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
    }

    private func write(
        _ entry: inout Entry, to file: OpenFile, at offset: Int, _ state: inout JournalState
    ) throws(JournalError) -> Appended {
        let bytes = try isPlain ? entry.numbered(state.next, check: check) : entry.finished(state.next, key: key)
        try write(bytes, to: file, at: offset, &state)
        state.appended(entry, bytes: bytes.count)
        return Appended(state.next - 1, write: state.written)
    }

    /// Writes frames to the end of the active segment. After a failure none of them is there.
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
                // After a failed sync the system may treat the lost pages as written, so no further record goes there.
                undo(file, at: offset, &state)
                _ = state.endSegment()
                throw error
            }
        }
    }

    /// Cuts off the rest of a failed write. A file that cannot be cut is not written to again.
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
            // The file gets its name before its bytes. After a failure only an empty file stays behind, which has no
            // meaning.
            try files.moveFile(path(spare.name), to: segmentPath)
            if durability.survivesPowerLoss { try files.syncFolder(folder) }
            try spare.file.write(bytes, at: 0)
            if durability.survivesPowerLoss { try spare.file.sync() }
        } catch {
            try? spare.file.truncate(to: 0)
            // The file has one of the two names. If it stays, the next segment replaces it or the next opening deletes
            // it.
            try? files.removeFile(segmentPath)
            try? files.removeFile(path(spare.name))
            throw error
        }
        let retired = state.began(header, spare.file, with: entry, bytes: bytes.count)
        var appended = Appended(state.next - 1, write: state.written)
        (appended.retired, appended.isBehind) = (retired, isBehind)
        return appended
    }

    private func takeSpare(_ state: inout JournalState) throws(JournalError) -> JournalState.Spare {
        if let spare = state.spare {
            state.spare = nil
            return spare
        }
        return try makeSpare(number: state.takeSpareNumber())
    }
}
