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

    /// Removes all records for good, their bytes on disk too.
    ///
    /// Snapshot and epoch stay, and sequences are not used again.
    /// - Parameter markData: bytes to keep beside the watermark, as in `removeThrough`.
    /// - Throws: what the system reported. Records may then be gone for readers, but not yet all from disk.
    public func purge(markData: [UInt8]? = nil) throws(JournalError) {
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
