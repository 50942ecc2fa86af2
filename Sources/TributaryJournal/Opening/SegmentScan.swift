/// The result of reading a whole segment.
struct SegmentScan: Sendable {
    /// A place where records are missing or damaged, with frames behind it.
    struct Gap: Sendable {
        /// Where the last frame before it ends.
        let frameEnd: Int
        /// The sequence that the next record had.
        let next: UInt64
        /// Everything behind it is a record that its owner appends again.
        var comesAgain: Bool
    }

    /// The sequence after the last record.
    var next: UInt64
    /// Where the last frame ends; what is behind it is no frame.
    var frameEnd: Int
    /// Bytes behind the last frame.
    var tailBytes: Int
    /// The tail is the rest of an interrupted write, so its record was never acknowledged.
    var isTorn: Bool
    var lostRecords: UInt64 = 0
    var lostBytes = 0
    /// The newest snapshot.
    var snapshot: [UInt8]?
    /// The tag of the newest tagged record before anything that is missing or damaged. A power cut may take the beginning
    /// of a write and leave its end, and what is missing must not count as handed over.
    var lastTag: JournalTag?
    /// The first gap that has something behind it.
    var gap: Gap?
    /// There are sealed frames, and not one of them could be opened.
    var isOfOtherKey = false
    /// At least one frame is genuine, so the file is one of this journal's.
    var isGenuine = false

    /// Reads the segment from its first record to its end. Sequences from `limit` on are not its own.
    init(
        _ file: OpenFile, key: FrameKey, segment: Segment, limit: UInt64 = JournalLimits.sequence,
        comesAgain: (@Sendable (JournalTag) -> Bool)? = nil
    ) throws(JournalError) {
        var reader = SegmentReader(file, key: key, segment: segment, limit: limit)
        (next, frameEnd, tailBytes, isTorn) = (segment.first, 0, 0, false)
        var sound = Gap(frameEnd: segment.start, next: segment.first, comesAgain: true)
        while let found = try reader.next(after: 0) {
            isGenuine = true
            lostRecords += found.lostRecords
            lostBytes += found.lostBytes
            if lostRecords > 0 || lostBytes > 0 {
                var isRepeated = false
                if found.kind == .data, let tag = found.record.tag, let comesAgain { isRepeated = comesAgain(tag) }
                var gap = self.gap ?? sound
                gap.comesAgain = gap.comesAgain && isRepeated
                self.gap = gap
            } else {
                sound = Gap(frameEnd: reader.frameEnd, next: reader.expected, comesAgain: true)
                lastTag = found.record.tag ?? lastTag
            }
            if found.kind == .snapshot { snapshot = found.record.payload }
        }
        next = reader.expected
        frameEnd = reader.frameEnd
        tailBytes = reader.tailBytes
        isTorn = reader.isTailTorn
        let atEnd = reader.lostAtEnd(next: next, after: 0)
        lostRecords += atEnd.records
        lostBytes += atEnd.bytes - tailBytes
        isGenuine = isGenuine || frameEnd > segment.start
        isOfOtherKey = reader.opened == 0 && reader.unopened > 0
    }

    /// Bytes changed after they were written.
    var isDamaged: Bool { lostRecords > 0 || lostBytes > 0 || (tailBytes > 0 && !isTorn) }
}
