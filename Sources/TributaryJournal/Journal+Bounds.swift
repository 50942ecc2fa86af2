extension Journal {
    /// How much is kept.
    public var bounds: JournalBounds { state.withLock { $0.bounds } }

    /// Changes how much is kept; what is beyond goes with the next `prepare()`.
    public func setBounds(_ bounds: JournalBounds) { state.withLock { $0.setBounds(bounds) } }

    /// How often records were dropped by the bounds since the journal was opened.
    ///
    /// Who keeps records that were read compares it: dropped ones may be among them, and not only at the front.
    public var drops: Int { state.withLock { $0.drops } }

    /// Whether a record that was read is still here: neither removed nor dropped.
    public func contains(_ sequence: UInt64) -> Bool { state.withLock { $0.contains(sequence) } }

    /// Keeps records up to that sequence from being dropped by the bounds, because somebody is using them; nil lets go.
    ///
    /// While they are held, later records go instead. Holding lasts as long as the journal is open, and is no
    /// obstacle to `removeThrough` and `purge`. What is being dropped right now is waited for: once this has returned,
    /// a record is either counted in `drops`, or it stays.
    public func hold(through sequence: UInt64?) {
        guard let sequence else { return state.withLock { $0.held = 0 } }
        maintenance.withLock { _ in state.withLock { $0.held = sequence } }
    }
}
