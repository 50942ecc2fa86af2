/// A place in a journal from which records are read in order, while others append.
///
/// A cursor is a value: a copy continues from the same place on its own. It uses memory for one read of 64 KiB, or for
/// one record if that is larger. It does not return records that are removed while it is before them.
public struct JournalCursor: Sendable {
    /// The sequence up to which this cursor is done: the sequence of the last returned or skipped record.
    public private(set) var sequence: UInt64

    let journal: Journal
    private var reader: SegmentReader?
    /// The first sequence of the reader's segment.
    private var segment: UInt64 = 0
    /// A record that was read but did not fit into the last batch.
    private var waiting: JournalRecord?
    /// The number of drops when the reader began.
    private var drops = 0

    init(_ journal: Journal, after sequence: UInt64) {
        self.journal = journal
        self.sequence = min(sequence, JournalLimits.sequence)
    }

    /// The next record; nil when there is none yet. A later call returns it when it was appended.
    /// - Throws: `.unreadable` when the file cannot be read now, `.closed`, or the system's error. The cursor keeps its
    ///   place, so the call can be repeated.
    public mutating func next() throws(JournalError) -> JournalRecord? {
        let record = try peek()
        if let record { consume(record) }
        return record
    }

    /// The next records, with at most that many bytes of payloads together. The first record is returned whatever its
    /// size. Empty when there are none yet.
    ///
    /// An error after the first record is thrown by the next call.
    /// - Parameter last: the highest sequence to return.
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
            // Dropped records are not returned, although their file can still be read.
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

    /// Begins with the segment that has the next sequence; false when there is none.
    private mutating func enter() throws(JournalError) -> Bool {
        guard let entrance = try journal.enter(after: sequence) else { return false }
        segment = entrance.first
        reader = entrance.reader
        return true
    }

    /// Called after the last known frame. Checks whether there are more, and leaves the segment if it is finished.
    /// False when there is nothing more.
    private mutating func advance() -> Bool {
        guard var current = reader, let view = journal.view(of: segment) else {
            reader = nil
            return true
        }
        if !view.isGrowing { current.limit = view.segment.end }
        // Only growth counts. The reader itself notices when a file is shorter than before.
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
