/// What is beyond the bounds, and what becomes of it.
extension JournalState {
    /// The segments that have to go.
    struct Excess {
        /// What the mark should say then; the same as before when something older has to stay.
        var mark: Mark
        var segments: [(first: UInt64, because: JournalBounds.Kind)] = []
        /// Segments that will have a gap before them, because something older stays.
        var gaps: [Gap] = []
    }

    /// What the header of a segment has to say when those before it were dropped and older ones were not.
    struct Gap {
        let segment: Segment
        /// The first sequence of the segment that will be the one before.
        let previous: UInt64
    }

    /// The oldest segments that are too many or too old; nil when there are none.
    ///
    /// Those with held records stay; then the ones after them go. The newest one stays: it has the snapshot and is
    /// written to.
    func excess(now: Int64) -> Excess? {
        let newest = newestOfOurs
        let times = StoringTimes(segments.map(\.storedAt), now: now, step: bounds.ageStep)
        var (bytes, records) = (byteCount, UInt64(recordCount))
        var excess = Excess(mark: mark)
        var isPrefix = true
        for (index, segment) in segments.enumerated() where segment.standing == .ours && segment.first != newest {
            guard !isHeld(segment) else {
                isPrefix = false
                continue
            }
            let isOld = times.age(ofSegment: index) >= bounds.age
            guard let because = reason(bytes: bytes, records: records, isOld: isOld) else { break }
            bytes -= segment.bytes
            records -= min(records, recordCount(of: segment))
            excess.segments.append((segment.first, because))
            if isPrefix { excess.mark.watermark = max(watermark, segment.end - 1) }
        }
        excess.gaps = gaps(without: Set(excess.segments.map(\.first)))
        return excess.segments.isEmpty ? nil : excess
    }

    private func gaps(without dropped: Set<UInt64>) -> [Gap] {
        var gaps: [Gap] = []
        var last: UInt64?
        var isInGap = false
        for segment in segments {
            if dropped.contains(segment.first) {
                isInGap = true
                continue
            }
            if isInGap, let last, segment.standing == .ours { gaps.append(Gap(segment: segment, previous: last)) }
            (last, isInGap) = (segment.first, false)
        }
        return gaps
    }

    /// There are too many bytes or records.
    var isOver: Bool { byteCount > bounds.bytes || recordCount > bounds.records }

    private func isHeld(_ segment: Segment) -> Bool { segment.first <= held && recordCount(of: segment) > 0 }

    private func reason(bytes: Int, records: UInt64, isOld: Bool) -> JournalBounds.Kind? {
        if isOld { return .age }
        if records > UInt64(bounds.records) { return .records }
        return bytes > bounds.bytes ? .bytes : nil
    }

    /// Drops what has to go; returns the names of the files.
    mutating func dropped(_ excess: Excess) -> [String] {
        for (first, because) in excess.segments {
            guard let segment = segments.first(where: { $0.first == first }) else { continue }
            let records = Int(clamping: recordCount(of: segment))
            reports.add(.droppedOldest(records: records, bytes: segment.bytes, because: because))
        }
        countDrop()
        let firsts = Set(excess.segments.map(\.first))
        let names = forget { firsts.contains($0.first) }
        return names + marked(excess.mark)
    }

    /// It is time for a new segment, although there is room in this one: because the ages of records are those of the
    /// segments that follow them.
    func isDue(now: Int64) -> Bool {
        guard !isClosed, now > 0, recordCount > 0, let newest = segments.last, newest.standing == .ours else {
            return false
        }
        return newest.storedAt == 0 || abs(now - newest.storedAt) >= bounds.ageStep
    }
}
