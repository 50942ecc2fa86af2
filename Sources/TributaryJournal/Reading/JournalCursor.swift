/// A place in a journal from which records are read in order, while others append.
///
/// A value: a copy goes on from the same place by itself. Memory stays at one read of 64 KiB, or one record if that is
/// larger. Records that are removed while a cursor is before them are not returned.
public struct JournalCursor: Sendable {
    /// The sequence up to which this cursor is done: that of the record returned last, or of records passed over.
    public private(set) var sequence: UInt64

    private let journal: Journal
    private var reader: SegmentReader?
    /// The first sequence of the reader's segment.
    private var segment: UInt64 = 0
    /// Read already, but it did not fit into the last batch.
    private var waiting: JournalRecord?
    /// How often records had been dropped when the reader began.
    private var drops = 0

    init(_ journal: Journal, after sequence: UInt64) {
        self.journal = journal
        self.sequence = min(sequence, JournalLimits.sequence)
    }

    /// The next record, or nil when there is none yet; a later call returns it once it was appended.
    /// - Throws: `.unreadable` when the file cannot be read now, `.closed`, or what the system reported. The cursor
    ///   keeps its place, so the call can be repeated.
    public mutating func next() throws(JournalError) -> JournalRecord? {
        let record = try peek()
        if let record { consume(record) }
        return record
    }

    /// The next records, whose payloads have at most that many bytes together; the first is returned whatever its size.
    /// Empty when there are none yet.
    ///
    /// An error that comes after the first record is left for the next call.
    /// - Parameter last: the highest sequence that is returned.
    public mutating func next(
        through last: UInt64 = .max, maxBytes: Int, maxRecords: Int = .max
    ) throws(JournalError) -> [JournalRecord] {
        var records: [JournalRecord] = []
        var bytes = 0
        while records.count < max(maxRecords, 1) {
            do {
                guard let record = try peek(), record.sequence <= last,
                    records.isEmpty || bytes + record.payload.count <= maxBytes
                else { break }
                bytes += record.payload.count
                records.append(record)
                consume(record)
            } catch {
                guard !records.isEmpty else { throw error }
                break
            }
        }
        return records
    }

    private mutating func consume(_ record: JournalRecord) {
        waiting = nil
        sequence = record.sequence
    }

    private mutating func peek() throws(JournalError) -> JournalRecord? {
        let (watermark, drops) = try journal.standing()
        sequence = max(sequence, watermark)
        if drops != self.drops {
            // What was dropped is not returned, although its file can still be read.
            self.drops = drops
            if journal.view(of: segment) == nil { (reader, waiting) = (nil, nil) }
        }
        if let record = waiting, record.sequence > watermark { return record }
        waiting = try read()
        return waiting
    }

    private mutating func read() throws(JournalError) -> JournalRecord? {
        while true {
            if reader == nil {
                guard try enter() else { return nil }
            }
            if let found = try reader?.next(after: sequence) {
                journal.noteLoss(found.lostRecords, found.lostBytes, in: segment, before: found.record.sequence)
                if found.kind == .data { return found.record }
            } else if !advance() {
                return nil
            }
        }
    }

    /// Starts on the segment that holds the next sequence; false when there is none.
    private mutating func enter() throws(JournalError) -> Bool {
        guard let entrance = try journal.enter(after: sequence) else { return false }
        segment = entrance.first
        reader = entrance.reader
        return true
    }

    /// After the last frame that was known of: learns whether there are more, leaves the segment if it is finished.
    /// False when nothing more is there.
    private mutating func advance() -> Bool {
        guard var current = reader, let view = journal.view(of: segment) else {
            reader = nil
            return true
        }
        if !view.isGrowing { current.limit = view.segment.end }
        // The file may turn out shorter than it was, which the reader finds out itself; so only growth counts.
        if view.segment.bytes > current.knownEnd {
            current.grow(to: view.segment.bytes)
            reader = current
            return true
        }
        guard !view.isGrowing else { return false }
        let lost = current.lostAtEnd(next: view.segment.end, after: sequence)
        journal.noteLoss(lost.records, lost.bytes, in: segment, before: view.segment.end)
        sequence = max(sequence, view.segment.end - 1)
        reader = nil
        return true
    }
}
