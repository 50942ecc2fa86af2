/// Reads the frames of one segment in order, in pieces, and skips damage.
struct SegmentReader: Sendable {
    /// An intact frame, and the losses before it.
    struct Found: Sendable {
        let kind: Frame.Kind
        let record: JournalRecord
        let lostRecords: UInt64
        let lostBytes: Int
    }

    /// The known size of the file. A segment that is being written grows.
    private(set) var knownEnd: Int
    /// Sequences from here on belong to the next segment.
    var limit: UInt64
    /// The expected sequence of the next data record.
    private(set) var expected: UInt64
    /// The end of the last frame with an intact head, even if its body is damaged.
    private(set) var frameEnd: Int
    /// The number of sealed frames that could be opened; below, of intact ones that could not be opened.
    private(set) var opened = 0
    private(set) var unopened = 0

    /// The actual size of the file, at most `knownEnd`.
    private var end: Int
    private let file: OpenFile
    private let key: FrameKey
    private var position: Int
    /// The end of the last intact frame.
    private var goodEnd: Int
    /// The offset of an intact head without its complete body in the file.
    private var tornFrame: Int?
    private var lostRecords: UInt64 = 0
    private var buffer: [UInt8] = []
    private var bufferStart = 0

    init(_ file: OpenFile, key: FrameKey, segment: Segment, limit: UInt64) {
        self.file = file
        self.key = key
        self.expected = segment.first
        self.knownEnd = segment.bytes
        self.end = segment.bytes
        self.limit = limit
        (position, frameEnd, goodEnd) = (segment.start, segment.start, segment.start)
    }

    /// Takes note that the file has grown.
    mutating func grow(to newEnd: Int) {
        knownEnd = newEnd
        end = newEnd
    }

    /// The next frame. Data records up to and including `passed` are skipped. Nil at the end; a call after the segment
    /// has grown continues.
    mutating func next(after passed: UInt64) throws(JournalError) -> Found? {
        while try fill(Frame.headSize) {
            guard let head = head() else {
                position += 1
                continue
            }
            guard position + head.frameSize <= end else {
                tornFrame = position
                position += 1
                continue
            }
            if head.kind == .data && head.sequence <= passed {
                step(over: head)
                continue
            }
            // A file that is shorter than before makes `end` smaller, and the frame is examined again.
            guard try fill(head.frameSize) else { continue }
            guard isIntact(head), let record = record(head) else {
                lose(head, after: passed)
                continue
            }
            return take(head, record, after: passed)
        }
        return nil
    }

    /// The records and bytes that were lost between the last frame and the end of the segment. `next` is the sequence
    /// after its last record.
    func lostAtEnd(next: UInt64, after passed: UInt64) -> (records: UInt64, bytes: Int) {
        let from = max(expected, passed + 1)
        return (lostRecords + (next > from ? next - from : 0), max(end - goodEnd, 0))
    }

    /// The bytes after the last frame with a known length.
    var tailBytes: Int { max(end - frameEnd, 0) }

    /// Whether these bytes are the rest of an interrupted write: less than a head, or a head without its whole body.
    var isTailTorn: Bool { tailBytes < Frame.headSize || tornFrame == frameEnd }

    private func head() -> FrameHead? {
        buffer.withUnsafeBytes { bytes in
            let head = FrameHead(
                bytes, at: position - bufferStart, expected: expected,
                lost: (position - frameEnd) / Frame.headSize, key: key)
            guard let head, head.sequence < limit || (head.kind == .snapshot && head.sequence == limit) else {
                return nil
            }
            return head
        }
    }

    private func isIntact(_ head: FrameHead) -> Bool {
        let body = position - bufferStart + Frame.headSize
        return buffer.withUnsafeBytes {
            CRC32C.checksum(of: $0.slice(body..<body + head.bodySize)) == head.bodyCheck
        }
    }

    private mutating func step(over head: FrameHead) {
        position += head.frameSize
        frameEnd = position
        goodEnd = position
        expected = head.sequence + 1
    }

    private mutating func lose(_ head: FrameHead, after passed: UInt64) {
        position += head.frameSize
        frameEnd = position
        let from = max(expected, passed + 1)
        if head.sequence > from { lostRecords += head.sequence - from }
        if head.kind == .data { lostRecords += 1 }
        expected = head.kind == .data ? head.sequence + 1 : head.sequence
    }

    private mutating func take(_ head: FrameHead, _ record: JournalRecord, after passed: UInt64) -> Found {
        let from = max(expected, passed + 1)
        if head.sequence > from { lostRecords += head.sequence - from }
        let found = Found(
            kind: head.kind, record: record, lostRecords: lostRecords, lostBytes: position - goodEnd)
        position += head.frameSize
        frameEnd = position
        goodEnd = position
        lostRecords = 0
        expected = head.kind == .data ? head.sequence + 1 : head.sequence
        return found
    }

    /// The record of an intact frame; nil when the frame is sealed and cannot be opened.
    private mutating func record(_ head: FrameHead) -> JournalRecord? {
        let body = position - bufferStart + Frame.headSize
        let (tag, payload) = buffer.withUnsafeBytes { bytes -> (JournalTag?, [UInt8]?) in
            let tag = head.hasTag ? JournalTag(bytes, at: body) : nil
            let payload = bytes.slice(body + (head.hasTag ? JournalTag.size : 0)..<body + head.bodySize)
            guard head.isSealed else { return (tag, Array(payload)) }
            return (tag, key.seal?.open(payload, context: key.context(head.kind, head.sequence, tag: tag)))
        }
        if head.isSealed {
            if payload == nil { unopened += 1 } else { opened += 1 }
        }
        return payload.map { JournalRecord(sequence: head.sequence, tag: tag, payload: $0) }
    }

    /// Reads `count` bytes from the position on into memory; false when the segment ends before.
    private mutating func fill(_ count: Int) throws(JournalError) -> Bool {
        if position >= bufferStart && position + count <= bufferStart + buffer.count { return true }
        guard position + count <= end else { return false }
        let wanted = min(max(count, JournalLimits.readBytes), end - position)
        buffer = try file.read(at: position, count: wanted)
        bufferStart = position
        // The file was truncated.
        if buffer.count < wanted { end = position + buffer.count }
        return buffer.count >= count
    }
}
