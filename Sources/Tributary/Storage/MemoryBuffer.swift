/// Records that wait in memory, with the sequences that they will have on disk. Bounded: the oldest goes when it is full.
struct MemoryBuffer: Sendable {
    private struct Item {
        let payload: [UInt8]
        let origin: RecordOrigin?
    }

    private let capacity: Int
    private var items: [Item] = []
    /// Items before this index are gone; the array is cut when half of it is.
    private var head = 0
    /// The sequence of the next record.
    private(set) var next: UInt64 = 1

    init(capacity: Int) { self.capacity = max(1, capacity) }

    var count: Int { items.count - head }
    var isEmpty: Bool { count == 0 }
    private(set) var byteCount = 0
    /// The sequence of the oldest record; `next` when there is none.
    var first: UInt64 { next - UInt64(count) }

    /// The oldest record; nil when there is none.
    var oldest: (payload: [UInt8], origin: RecordOrigin?)? { isEmpty ? nil : (items[head].payload, items[head].origin) }

    /// The origin of the newest record that has one.
    var newestOrigin: RecordOrigin? { items[head...].last { $0.origin != nil }?.origin }

    func contains(_ sequence: UInt64) -> Bool { (first..<next).contains(sequence) }

    /// Begins to count there; only when nothing waits, and never backwards.
    mutating func begin(at sequence: UInt64) {
        if isEmpty { next = max(next, sequence) }
    }

    /// Adds a record; true when the oldest had to go for it.
    mutating func append(_ payload: [UInt8], origin: RecordOrigin?) -> Bool {
        items.append(Item(payload: payload, origin: origin))
        byteCount += payload.count
        next += 1
        guard count > capacity else { return false }
        removeFirst()
        return true
    }

    /// Records after one and up to another, oldest first: at least one when there is one, else as many as fit.
    func read(after sequence: UInt64, through last: UInt64 = .max, maxBytes: Int, maxCount: Int) -> [LogRecord] {
        let skipped = sequence >= first ? Int(clamping: min(sequence - first + 1, UInt64(count))) : 0
        var bytes = 0
        var records: [LogRecord] = []
        for index in (head + skipped)..<items.count {
            let item = items[index]
            let place = first + UInt64(index - head)
            guard place <= last, records.isEmpty || bytes + item.payload.count <= maxBytes,
                records.count < max(maxCount, 1)
            else { break }
            bytes += item.payload.count
            records.append(LogRecord(sequence: place, payload: item.payload, origin: item.origin))
        }
        return records
    }

    mutating func remove(through sequence: UInt64) {
        while !isEmpty, first <= sequence { removeFirst() }
    }

    mutating func removeFirst() {
        guard !isEmpty else { return }
        byteCount -= items[head].payload.count
        head += 1
        if head > items.count / 2 {
            items.removeFirst(head)
            head = 0
        }
    }
}
