import TributaryJournal

/// Records that wait in memory, with the sequences that they will have on disk. When the buffer is full, it drops the
/// oldest record.
struct MemoryBuffer: Sendable {
    private let capacity: Int
    private var records = FIFO<JournalRecord>()
    /// The sequence of the next record.
    private(set) var next: UInt64 = 1
    private(set) var byteCount = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    var count: Int { records.count }
    var isEmpty: Bool { records.isEmpty }
    /// The oldest record; nil when there is none.
    var oldest: JournalRecord? { records.first }
    /// The sequence of the oldest record; `next` when there is none.
    var first: UInt64 { next - UInt64(count) }
    /// The tag of the newest record that has one.
    var newestTag: JournalTag? { (0..<count).reversed().lazy.compactMap { records[$0]?.tag }.first }

    func contains(_ sequence: UInt64) -> Bool { (first..<next).contains(sequence) }

    /// The number of records up to a sequence.
    private func count(through sequence: UInt64) -> Int {
        sequence >= first ? Int(clamping: min(sequence - first + 1, UInt64(count))) : 0
    }

    /// The number of records after a sequence.
    func count(after sequence: UInt64) -> Int { count - count(through: sequence) }

    /// Sets the next sequence. Has an effect only on an empty buffer, and never goes backwards.
    mutating func begin(at sequence: UInt64) {
        if isEmpty { next = max(next, sequence) }
    }

    /// Adds a record.
    /// - Returns: the sequence of the oldest record when it was dropped for the new one.
    mutating func append(_ payload: [UInt8], tag: JournalTag?) -> UInt64? {
        records.append(JournalRecord(sequence: next, tag: tag, payload: payload))
        byteCount += payload.count
        next += 1
        guard count > capacity else { return nil }
        defer { removeFirst() }
        return first
    }

    /// Records after one sequence and up to another, oldest first: as many as fit, but at least one if there is one.
    func read(after sequence: UInt64, through last: UInt64 = .max, maxBytes: Int, maxCount: Int) -> [JournalRecord] {
        var (found, bytes) = ([JournalRecord](), 0)
        let skipped = count(through: sequence)
        while found.count < max(maxCount, 1), let record = records[skipped + found.count], record.sequence <= last,
            found.isEmpty || bytes + record.payload.count <= maxBytes
        {
            bytes += record.payload.count
            found.append(record)
        }
        return found
    }

    mutating func remove(through sequence: UInt64) {
        while !isEmpty, first <= sequence { removeFirst() }
    }

    mutating func removeFirst() { byteCount -= records.popFirst()?.payload.count ?? 0 }
}
