import Dispatch

extension FailoverLog {
    /// Goes on with another disk, which nothing was written to yet, and brings there what is after a place.
    ///
    /// Sequences stay, so that every reader's place stays right; the other disk is another life of the log, so it has
    /// another epoch. Appends go to memory meanwhile.
    func exchange(for new: any RecordLog, after position: LogPosition) throws {
        let (old, drained) = state.withLock { state -> (any RecordLog, DispatchSemaphore?) in
            if !state.machine.beginExchange(last: state.disk.lastSequence) {
                state.drained = DispatchSemaphore(value: 0)
            }
            return (state.disk, state.drained)
        }
        // For as long as one write takes.
        drained?.wait()
        do {
            try Self.carry(from: old, to: new, after: position)
        } catch {
            state.withLock { $0.machine.exchangeFailed(error) }
            try? new.removeThrough(.max, mark: nil)
            new.close()
            scheduleRetry()
            throw error
        }
        state.withLock { state in
            state.machine.exchanged(withdrawals: old.withdrawals)
            new.hold(through: state.held?.sequence)
            state.disk = new
            state.reading = ReadRetries()
        }
        // Where the old files are still there, nobody may take up again what was taken over. Where they are not, others
        // have their names.
        if old.isAttached { try? old.removeThrough(.max, mark: nil) }
        old.close()
        returnToDisk()
    }

    private static func carry(from old: any RecordLog, to new: any RecordLog, after position: LogPosition) throws {
        if let snapshot = old.snapshot { try new.append(snapshot: snapshot) }
        var place = max(position.sequence, old.removedThrough)
        while true {
            let records = try old.read(after: place, maxBytes: Limits.batchBytes, maxCount: .max)
            for record in records {
                if new.lastSequence + 1 < record.sequence { try new.reserve(through: record.sequence - 1) }
                _ = try new.append(record.payload, origin: record.origin, snapshot: nil)
            }
            guard let last = records.last else { break }
            place = last.sequence
        }
        if new.lastSequence < old.lastSequence { try new.reserve(through: old.lastSequence) }
        if !old.mark.isEmpty { try new.removeThrough(0, mark: old.mark) }
    }
}
