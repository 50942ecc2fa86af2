import TributaryJournal

/// Records that wait in memory, with the sequences that they will have on disk. When the buffer is full, it drops the
/// oldest record.
struct MemoryBuffer: Sendable {
    private let capacity: Int
    private var records: [JournalRecord] = []
    /// Records before this index are gone. The array is cut when that is half of it.
    private var head = 0
    /// The sequence of the next record.
    private(set) var next: UInt64 = 1
    private(set) var byteCount = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    var count: Int { records.count - head }
    var isEmpty: Bool { count == 0 }
    /// The oldest record; nil when there is none.
    var oldest: JournalRecord? { isEmpty ? nil : records[head] }
    /// The sequence of the oldest record; `next` when there is none.
    var first: UInt64 { next - UInt64(count) }
    /// The tag of the newest record that has one.
    var newestTag: JournalTag? { records[head...].last { $0.tag != nil }?.tag }

    func contains(_ sequence: UInt64) -> Bool { (first..<next).contains(sequence) }

    /// Sets the next sequence. Has an effect only on an empty buffer, and never goes backwards.
    mutating func begin(at sequence: UInt64) {
        if isEmpty { next = max(next, sequence) }
    }

    /// The number of records after one sequence and up to another.
    func count(after sequence: UInt64, through last: UInt64 = .max) -> Int {
        let (begin, end) = (max(first, sequence + 1), min(next, last == .max ? .max : last + 1))
        return end > begin ? Int(clamping: end - begin) : 0
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
        let skipped = sequence >= first ? Int(clamping: min(sequence - first + 1, UInt64(count))) : 0
        var bytes = 0
        var found: [JournalRecord] = []
        for record in records[(head + skipped)...] {
            guard record.sequence <= last, found.isEmpty || bytes + record.payload.count <= maxBytes,
                found.count < max(maxCount, 1)
            else { break }
            bytes += record.payload.count
            found.append(record)
        }
        return found
    }

    mutating func remove(through sequence: UInt64) {
        while !isEmpty, first <= sequence { removeFirst() }
    }

    mutating func removeFirst() {
        guard !isEmpty else { return }
        byteCount -= records[head].payload.count
        head += 1
        if head > records.count / 2 {
            records.removeFirst(head)
            head = 0
        }
    }
}
