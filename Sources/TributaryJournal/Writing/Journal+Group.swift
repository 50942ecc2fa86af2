extension Journal {
    /// Adds the first records of a group with one write, as many as fit into a segment, and removes them from the group. It
    /// leaves to `finish` the work that may take longer.
    ///
    /// A crash of the process leaves all of them or the first ones, never one without those before it. When it throws, no
    /// record was added.
    package func putFirst(of group: inout JournalGroup) throws(JournalError) -> Appended {
        let now = self.now() / 1000
        let (appended, count) = try state.withLock { state throws(JournalError) -> (Appended, count: Int) in
            try state.checkOpen()
            try verifyLease(state.folderLock)
            guard state.next < JournalLimits.sequence - UInt64(group.count) else {
                throw JournalError(.sequenceOutOfRange, "all sequences are used up")
            }
            if let (file, room) = state.room(now: now) {
                let count = group.count(in: room, overhead: overhead)
                if count > 0 { return (try write(count, of: &group, to: file, at: room.offset, &state), count) }
            }
            guard let first = group.first else { throw .closed }
            var entry = try Entry(first.payload, tag: first.tag, snapshot: nil)
            return (try begin(state.header(from: state.next), with: &entry, &state), 1)
        }
        group.removeFirst(count)
        return appended
    }

    private func write(
        _ count: Int, of group: inout JournalGroup, to file: OpenFile, at offset: Int, _ state: inout JournalState
    ) throws(JournalError) -> Appended {
        let bytes = try group.finished(count, from: state.next, key: key)
        try write(bytes, to: file, at: offset, &state)
        state.appended(records: count, tag: group.lastTag(ofFirst: count), bytes: bytes.count)
        return Appended(state.next - 1, write: state.written)
    }
}
