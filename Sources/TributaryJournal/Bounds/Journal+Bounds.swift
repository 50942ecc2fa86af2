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
    public func hold(through sequence: UInt64?) {
        guard let sequence else { return state.withLock { $0.held = 0 } }
        maintenance.withLock { _ in state.withLock { $0.held = sequence } }
    }
}
