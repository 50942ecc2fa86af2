/// The result of reading a whole segment.
struct SegmentScan: Sendable {
    /// A place where records that were not removed are missing or damaged, with frames after it.
    struct Gap: Sendable {
        /// The end of the last frame before it.
        let frameEnd: Int
        /// The sequence that was expected there.
        let next: UInt64
        /// Whether everything after it is a record that its owner will append again.
        var comesAgain: Bool
    }

    /// The sequence after the last record.
    var next: UInt64
    /// The end of the last frame. After it there is no frame.
    var frameEnd: Int
    /// The bytes after the last frame.
    var tailBytes: Int
    /// Whether the tail is the rest of an interrupted write. Its record was never acknowledged then.
    var isTorn: Bool
    var lostRecords: UInt64 = 0
    var lostBytes = 0
    /// The newest snapshot.
    var snapshot: [UInt8]?
    /// The tag of the newest tagged record before the first gap. A power cut may lose the beginning of a write and keep
    /// its end, and a lost record must not count as handed over.
    var lastTag: JournalTag?
    /// The first gap with frames after it.
    var gap: Gap?
    /// Whether there are sealed frames, none of which could be opened.
    var isOfOtherKey = false
    /// Whether at least one frame has the journal's epoch, so the file belongs to this journal.
    var isGenuine = false

    /// Reads the segment from its first record to its end. Sequences from `limit` on belong to the next segment.
    /// - Parameter removed: records up to this one were removed. It is no gap when only such records are missing.
    init(
        _ file: OpenFile, key: FrameKey, segment: Segment, limit: UInt64 = JournalLimits.sequence,
        removed: UInt64 = 0, comesAgain: (@Sendable (JournalTag) -> Bool)? = nil
    ) throws(JournalError) {
        var reader = SegmentReader(file, key: key, segment: segment, limit: limit)
        (next, frameEnd, tailBytes, isTorn) = (segment.first, 0, 0, false)
        var sound = Gap(frameEnd: segment.start, next: segment.first, comesAgain: true)
        while let found = try reader.next(after: 0) {
            isGenuine = true
            lostRecords += found.lostRecords
            lostBytes += found.lostBytes
            let isLoss = found.lostRecords > 0 || found.lostBytes > 0
            if gap != nil || (isLoss && found.record.sequence > removed + 1) {
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

    /// Whether bytes changed after they were written.
    var isDamaged: Bool { lostRecords > 0 || lostBytes > 0 || (tailBytes > 0 && !isTorn) }
}
