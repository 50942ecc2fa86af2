extension Journal {
    /// Adds the records of a group, with one write for as many as fit into a segment.
    ///
    /// A crash of the process leaves all of them or the first ones, never one without those before it. On return the
    /// group is empty. When it throws, the records that are still in the group are not in the journal, except in the
    /// case that `append` describes.
    package func append(_ group: inout JournalGroup) throws(JournalError) {
        while !group.isEmpty {
            let (appended, count) = try writeFirst(of: &group)
            if durability == .groupCommit { try commit.wait(for: appended.write) }
            group.removeFirst(count)
        }
    }

    private func writeFirst(of group: inout JournalGroup) throws(JournalError) -> (Appended, count: Int) {
        let now = self.now() / 1000
        let written = try state.withLock { state throws(JournalError) -> (Appended, count: Int) in
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
        // Only when no other thread does it: a caller must not wait for another thread's file work.
        if written.0.isBehind { _ = maintenance.tryWithLock { trim(&$0, now: now) } }
        return written
    }

    private func write(
        _ count: Int, of group: inout JournalGroup, to file: OpenFile, at offset: Int, _ state: inout JournalState
    ) throws(JournalError) -> Appended {
        let bytes = try group.finished(count, from: state.next, key: key)
        try write(bytes, to: file, at: offset, &state)
        state.appended(records: count, tag: group.lastTag(ofFirst: count), bytes: bytes.count)
        return Appended(sequence: state.next - 1, write: state.written)
    }
}
