import TributaryJournal

/// The records at the front of the outbox that were read and not yet confirmed.
///
/// They stay here while a batch is halved or tried again. Reading them again would cost more with each record that
/// waits behind them.
struct DeliveryWindow: Sendable {
    private var records: ArraySlice<JournalRecord> = []

    var isEmpty: Bool { records.isEmpty }
    var count: Int { records.count }
    /// The sequences of all records here, lowest first.
    var sequences: [UInt64] { records.map(\.sequence) }

    /// Takes records that were read. The window must be empty.
    mutating func fill(_ records: [JournalRecord]) { self.records = records[...] }

    /// The first records: as many as fit into an array of that many bytes, but at least one.
    func batch(maxBytes: Int, maxCount: Int) -> Batch? {
        var bytes = 0
        var batch: [JournalRecord] = []
        for record in records.prefix(max(1, maxCount)) {
            let size = record.payload.count + 1  // the payload and a comma
            guard batch.isEmpty || bytes + size <= maxBytes else { break }
            bytes += size
            batch.append(record)
        }
        return batch.last.map { Batch(records: batch, end: $0.sequence, bytes: bytes) }
    }

    /// Removes these records.
    mutating func remove(_ sequences: Set<UInt64>) { records.removeAll { sequences.contains($0.sequence) } }

    /// Removes all records up to a sequence.
    mutating func remove(through sequence: UInt64) {
        records = records.drop { $0.sequence <= sequence }
        // An empty slice would keep the memory of all.
        if isEmpty { records = [] }
    }
}
