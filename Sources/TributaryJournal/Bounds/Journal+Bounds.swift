extension Journal {
    /// The limits of the journal.
    public var bounds: JournalBounds { state.withLock { $0.bounds } }

    /// Changes the limits; the next `prepare()` drops records beyond them.
    public func setBounds(_ bounds: JournalBounds) { state.withLock { $0.setBounds(bounds) } }

    /// The number of times that the bounds dropped records since the journal was opened.
    ///
    /// A reader that keeps records in memory compares it: records may have been dropped, and not only the oldest.
    public var drops: Int { state.withLock { $0.drops } }

    /// Whether a record that was read is still here: neither removed nor dropped.
    public func contains(_ sequence: UInt64) -> Bool { state.withLock { $0.contains(sequence) } }

    /// Protects records up to that sequence from being dropped while they are used; nil ends that.
    ///
    /// Meanwhile later records are dropped. The protection lasts as long as the journal is open, and does not affect
    /// `removeThrough` and `purge`. The call waits for a drop that is under way. When it has returned, a record is
    /// either counted in `drops`, or it stays.
    ///
    /// See `take(through:)` for records that need no protection because the reader has their bytes.
    public func hold(through sequence: UInt64?) {
        guard let sequence else { return state.withLock { $0.hold(through: 0) } }
        maintenance.withLock { _ in state.withLock { $0.hold(through: sequence) } }
    }

    /// Takes note that the reader has taken the records up to a sequence: it has their bytes and says itself what becomes
    /// of them. Dropping such a record does not count as a loss, and purging it not as a deletion.
    /// - Returns: the sequences that are in the journal at this moment. The reader has no right to older records: they
    ///   were dropped or purged before, and were counted then.
    package func take(through sequence: UInt64) -> ClosedRange<UInt64>? {
        state.withLock { state in
            state.take(through: sequence)
            let (first, last) = (state.watermark + 1, state.next - 1)
            return first <= last ? first...last : nil
        }
    }

    /// Returns and forgets the number of records that purges deleted before the reader had taken them. Records in use
    /// count when their use has ended and the reader has not taken them.
    package func takeDeleted() -> Int { state.withLock { $0.takeDeleted() } }

    /// Returns what the reader has taken and uses, for the journal that replaces this one. Records in use that have left this
    /// journal count there.
    package func takeClaims() -> ReaderClaims { state.withLock { $0.takeClaims() } }
}
