/// The newest segment of this journal, read completely, and the facts in it about the whole journal.
struct NewestSegment {
    /// The index of the segment.
    let index: Int
    let file: OpenFile
    let scan: SegmentScan
    private(set) var snapshot: [UInt8]?
    private(set) var lastTag: JournalTag?

    /// The newest segment, undamaged.
    init(index: Int, file: OpenFile, scan: SegmentScan, header: SegmentHeader?) {
        self.index = index
        self.file = file
        self.scan = scan
        snapshot = scan.snapshot
        lastTag = scan.lastTag ?? header?.lastTag
    }

    /// Nil when the journal has no segment.
    /// - Parameter removed: the sequence up to which records were removed.
    /// - Throws: when a newer segment cannot be read now, because its facts would be missed.
    init?(
        of segments: [JournalOpening.KnownSegment], key: FrameKey, removed: UInt64, in opening: JournalOpening
    ) throws(JournalError) {
        if let failure = segments.last?.failure { throw failure }
        guard let index = segments.lastIndex(where: { $0.segment.standing == .ours }) else { return nil }
        let isLast = index == segments.count - 1
        self.index = index
        let newest = segments[index]
        file = try OpenFile(opening.path(newest.segment.name), isLast ? .update : .read, in: opening.files)
        let comesAgain = isLast ? opening.options.comesAgain : nil
        let limit = isLast ? JournalLimits.sequence : newest.segment.end
        scan = try SegmentScan(
            file, key: key, segment: newest.segment, limit: limit, removed: removed, comesAgain: comesAgain)
        snapshot = scan.snapshot
        lastTag = scan.lastTag ?? newest.header?.lastTag
        if scan.isDamaged || newest.header == nil {
            lookBack(segments[..<index], key: key, in: opening)
        }
    }

    /// Takes facts that a damaged segment lacks from an older one: each begins with the snapshot of its time.
    private mutating func lookBack(
        _ segments: ArraySlice<JournalOpening.KnownSegment>, key: FrameKey, in opening: JournalOpening
    ) {
        for known in segments.reversed() where known.segment.standing == .ours {
            guard snapshot == nil || lastTag == nil else { return }
            do {
                let file = try OpenFile(opening.path(known.segment.name), .read, in: opening.files)
                let scan = try SegmentScan(
                    file, key: key, segment: known.segment, limit: known.segment.end)
                snapshot = snapshot ?? scan.snapshot
                lastTag = lastTag ?? scan.lastTag ?? known.header?.lastTag
                if known.header != nil && !scan.isDamaged { return }
            } catch {
                return
            }
        }
    }
}
