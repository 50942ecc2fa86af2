extension Journal {
    /// A cursor at the record after that sequence; without one, at the first record that was not removed.
    public func cursor(after sequence: UInt64 = 0) -> JournalCursor {
        JournalCursor(self, after: sequence)
    }

    /// The watermark, for cursors, who may not read on after the journal was closed.
    func checkedWatermark() throws(JournalError) -> UInt64 {
        try state.withLock { state throws(JournalError) in
            try state.checkOpen()
            return state.watermark
        }
    }

    /// A reader of the first segment that holds records after that sequence; nil when there is none.
    func enter(after sequence: UInt64) throws(JournalError) -> (first: UInt64, reader: SegmentReader)? {
        while let view = state.withLock({ $0.view(holding: sequence + 1) }) {
            let segment = view.segment
            do {
                let file = if let active = view.file { active } else { try open(segment) }
                guard try isReadable(segment, file) else { continue }
                let limit = view.isGrowing ? JournalLimits.sequence : segment.end
                let reader = SegmentReader(file, key: key, first: segment.first, end: segment.bytes, limit: limit)
                return (segment.first, reader)
            } catch let error where error.reason == .missing {
                // Deleted by the trim of another thread, or by somebody who should not have.
                state.withLock { $0.vanished(segment.first) }
            }
        }
        return nil
    }

    private func open(_ segment: Segment) throws(JournalError) -> OpenFile {
        try OpenFile(path(segment.name), .read, in: files)
    }

    /// Looks again at a segment that could not be read at the opening; false when it is not for us to read.
    private func isReadable(_ segment: Segment, _ file: OpenFile) throws(JournalError) -> Bool {
        guard segment.standing == .unverified else { return true }
        var standing = Segment.Standing.ours
        if case .newer = SegmentHeader.read(try file.read(at: 0, count: JournalLimits.headerBytes)) {
            standing = .newer
        }
        state.withLock { state in
            state.verified(segment.first, as: standing)
            if standing == .newer { state.reports.add(.newerFormat(file: segment.name)) }
        }
        return standing == .ours
    }

    func view(of first: UInt64) -> JournalState.View? {
        state.withLock { $0.view(beginning: first) }
    }

    func noteLoss(_ records: UInt64, _ bytes: Int, in first: UInt64, before sequence: UInt64) {
        guard records > 0 || bytes > 0 else { return }
        state.withLock { $0.lost(records, bytes: bytes, in: first, before: sequence) }
    }
}
