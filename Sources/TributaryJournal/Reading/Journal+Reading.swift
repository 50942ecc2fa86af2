extension Journal {
    /// A cursor at the record after that sequence. By default it is at the first record that was not removed.
    public func cursor(after sequence: UInt64 = 0) -> JournalCursor {
        JournalCursor(self, after: sequence)
    }

    /// Reads records after one sequence and up to another, oldest first: as many as fit, but at least one if there is one.
    /// - Parameter cursor: the place where the last read stopped, so that this one does not search the segment again.
    package func read(
        after sequence: UInt64, through last: UInt64, maxBytes: Int, maxCount: Int, from cursor: inout JournalCursor?
    ) throws(JournalError) -> [JournalRecord] {
        var current = self.cursor(after: sequence)
        if let cursor, cursor.journal === self, cursor.sequence == sequence { current = cursor }
        // Without a second copy, reading changes the cursor in place.
        cursor = nil
        defer { cursor = current }
        return try current.next(through: last, maxBytes: maxBytes, maxRecords: maxCount)
    }

    /// The watermark and the number of drops, for a cursor. Throws when the journal is closed.
    func standing() throws(JournalError) -> (watermark: UInt64, drops: Int) {
        try state.withLock { state throws(JournalError) in
            try state.checkOpen()
            return (state.watermark, state.drops)
        }
    }

    /// A reader of the first segment that holds records after that sequence; nil when there is none.
    func enter(after sequence: UInt64) throws(JournalError) -> (first: UInt64, reader: SegmentReader)? {
        try finishOpening()
        while let view = state.withLock({ $0.view(holding: sequence + 1) }) {
            let segment = view.segment
            do {
                let file = if let active = view.file { active } else { try open(segment) }
                // The list now has the facts that were found out about it.
                guard segment.standing != .unverified else {
                    try inspect(segment, file)
                    continue
                }
                let limit = view.isGrowing ? JournalLimits.sequence : segment.end
                return (segment.first, SegmentReader(file, key: key, segment: segment, limit: limit))
            } catch let error where error.reason == .missing {
                // The file was deleted by another thread's `trim`, or by another process.
                state.withLock { $0.vanished(segment.first) }
            }
        }
        return nil
    }

    private func open(_ segment: Segment) throws(JournalError) -> OpenFile {
        try OpenFile(path(segment.name), .read, in: files)
    }

    /// Examines a segment again that could not be read at the opening.
    private func inspect(_ segment: Segment, _ file: OpenFile) throws(JournalError) {
        let reading = SegmentHeader.read(try file.read(at: 0, count: JournalLimits.headerBytes))
        let header: SegmentHeader? = if case .valid(let header) = reading { header } else { nil }
        if let check = header?.keyCheck, check != key.seal?.keyCheck {
            throw JournalError(.otherKey, "\(segment.name) was encrypted with another key")
        }
        let isNewer = if case .newer = reading { true } else { false }
        state.withLock { state in
            state.verified(segment.first, as: isNewer ? .newer : .ours, start: header?.byteCount)
            if isNewer { state.reports.add(.newerFormat(file: segment.name)) }
        }
    }

    func view(of first: UInt64) -> JournalState.View? {
        state.withLock { $0.view(beginning: first) }
    }

    func noteLoss(_ records: UInt64, _ bytes: Int, in first: UInt64, before sequence: UInt64) {
        guard records > 0 || bytes > 0 else { return }
        state.withLock { $0.lost(records, bytes: bytes, in: first, before: sequence) }
    }
}
