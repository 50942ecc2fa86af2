/// Finds and drops what exceeds the limits.
extension JournalState {
    /// The segments to drop.
    struct Excess {
        /// The mark to write then. It is the same as before when an older record has to stay.
        var mark: Mark
        var segments: [(first: UInt64, because: JournalBounds.Kind)] = []
        /// Segments that will have a gap before them, because an older segment stays.
        var gaps: [Gap] = []
    }

    /// The note in the header of a segment, when the segments before it were dropped and older ones were not.
    struct Gap {
        let segment: Segment
        /// The first sequence of the segment that will come before it.
        let previous: UInt64
    }

    /// The oldest segments that are too many or too old; nil when there are none.
    ///
    /// Segments with held records stay, and the segments after them are dropped in their place. The newest segment
    /// stays, because it has the snapshot and is written to.
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

    /// Whether there are too many bytes or records.
    var isOver: Bool { byteCount > bounds.bytes || recordCount > bounds.records }

    private func isHeld(_ segment: Segment) -> Bool { segment.first <= claims.held && recordCount(of: segment) > 0 }

    private func reason(bytes: Int, records: UInt64, isOld: Bool) -> JournalBounds.Kind? {
        if isOld { return .age }
        if records > UInt64(bounds.records) { return .records }
        return bytes > bounds.bytes ? .bytes : nil
    }

    /// Drops the segments. Returns the names of the files.
    mutating func dropped(_ excess: Excess) -> [String] {
        for (first, because) in excess.segments {
            guard let segment = segments.first(where: { $0.first == first }) else { continue }
            let records = untakenCount(of: segment)
            if records > 0 { reports.add(.droppedOldest(records: records, bytes: segment.bytes, because: because)) }
        }
        countDrop()
        let firsts = Set(excess.segments.map(\.first))
        let names = forget { firsts.contains($0.first) }
        return names + marked(excess.mark)
    }

    /// Whether it is time for a new segment although this one has room. Records get their age from the beginning of the
    /// next segment, so ages need a regular beginning.
    func isDue(now: Int64) -> Bool {
        guard !isClosed, now > 0, recordCount > 0, let newest = segments.last, newest.standing == .ours else {
            return false
        }
        return newest.storedAt == 0 || abs(now - newest.storedAt) >= bounds.ageStep
    }
}
