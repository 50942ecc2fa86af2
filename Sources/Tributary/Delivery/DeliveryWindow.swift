import TributaryJournal

/// The records at the front of the outbox that were read and not yet confirmed.
///
/// They stay here while a batch is halved or tried again. Reading them again each time would cost more, the more
/// records wait behind them.
struct DeliveryWindow: Sendable {
    private var entries: [JournalRecord] = []
    /// Entries before this index are done with.
    private var head = 0

    var isEmpty: Bool { head == entries.count }
    var count: Int { entries.count - head }

    /// Takes what was read; nothing else may be here.
    mutating func fill(_ records: [JournalRecord]) {
        head = 0
        entries = records
    }

    /// The first records: at least one, else as many as fit into that many bytes of an array.
    func batch(maxBytes: Int, maxCount: Int) -> Batch? {
        var bytes = 0
        var last = head
        while last < entries.count, last - head < max(1, maxCount) {
            let size = entries[last].payload.count + 1  // and a comma
            guard last == head || bytes + size <= maxBytes else { break }
            bytes += size
            last += 1
        }
        guard last > head else { return nil }
        return Batch(records: Array(entries[head..<last]), end: entries[last - 1].sequence, bytes: bytes)
    }

    /// The places of all that is here, lowest first.
    var sequences: [UInt64] { entries[head...].map(\.sequence) }

    /// Lets go of those.
    mutating func remove(_ sequences: Set<UInt64>) {
        entries.removeFirst(head)
        head = 0
        entries.removeAll { sequences.contains($0.sequence) }
    }

    /// Lets go of everything up to a sequence.
    mutating func remove(through sequence: UInt64) {
        while head < entries.count, sequence >= entries[head].sequence { head += 1 }
        if isEmpty {
            entries = []
            head = 0
        }
    }
}
