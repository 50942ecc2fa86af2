extension Journal {
    /// How much is kept.
    public var bounds: JournalBounds { state.withLock { $0.bounds } }

    /// Changes how much is kept; what is beyond goes with the next `prepare()`.
    public func setBounds(_ bounds: JournalBounds) { state.withLock { $0.setBounds(bounds) } }

    /// Keeps records up to that sequence from being dropped by the bounds, because somebody is using them; nil lets go.
    ///
    /// While they are held, later records go instead. Holding lasts as long as the journal is open, and is no
    /// obstacle to `removeThrough` and `purge`.
    public func hold(through sequence: UInt64?) { state.withLock { $0.held = sequence ?? 0 } }
}
