import TributaryJournal

/// The records at the front of the outbox that were read and not yet confirmed.
///
/// They stay here while a batch is halved or tried again. Reading them again would cost more with each record that
/// waits behind them.
struct DeliveryWindow: Sendable {
    private var entries: [JournalRecord] = []
    /// The index of the first entry that is not done.
    private var head = 0

    var isEmpty: Bool { head == entries.count }
    var count: Int { entries.count - head }

    /// Takes records that were read. The window must be empty.
    mutating func fill(_ records: [JournalRecord]) {
        head = 0
        entries = records
    }

    /// The first records: as many as fit into an array of that many bytes, but at least one.
    func batch(maxBytes: Int, maxCount: Int) -> Batch? {
        var bytes = 0
        var last = head
        while last < entries.count, last - head < max(1, maxCount) {
            let size = entries[last].payload.count + 1  // the payload and a comma
            guard last == head || bytes + size <= maxBytes else { break }
            bytes += size
            last += 1
        }
        guard last > head else { return nil }
        return Batch(records: Array(entries[head..<last]), end: entries[last - 1].sequence, bytes: bytes)
    }

    /// The sequences of all records here, lowest first.
    var sequences: [UInt64] { entries[head...].map(\.sequence) }

    /// Removes these records.
    mutating func remove(_ sequences: Set<UInt64>) {
        entries.removeFirst(head)
        head = 0
        entries.removeAll { sequences.contains($0.sequence) }
    }

    /// Removes all records up to a sequence.
    mutating func remove(through sequence: UInt64) {
        while head < entries.count, sequence >= entries[head].sequence { head += 1 }
        if isEmpty {
            entries = []
            head = 0
        }
    }
}
