/// Decides when a segment is full and the next one begins: early enough that dropping whole segments is precise.
struct SegmentLimits: Sendable {
    let bytes: Int
    let records: UInt64
    let seconds: Int64

    init(_ bounds: JournalBounds, segmentBytes: Int) {
        bytes = min(segmentBytes, max(bounds.bytes / 8, SegmentHeader.size))
        records = UInt64(max(bounds.records / 8, 1))
        seconds = bounds.ageStep
    }

    /// Whether the segment accepts that many bytes at that time. A segment with a beginning that is unknown or in the future
    /// accepts none, because its records would have no known age. A clock that cannot be read ends no segment.
    ///
    /// A segment without records accepts one of any size. Another segment in its place would cost a sequence, and a
    /// record that returns from memory would get another sequence than it had there.
    @inline(__always)
    func allow(_ count: Int, in segment: Segment, now: Int64) -> Bool {
        (segment.bytes + count <= bytes || segment.end == segment.first) && segment.end - segment.first < records
            && isFresh(segment, now: now)
    }

    /// The room that the segment has at that time.
    func room(in segment: Segment, now: Int64) -> SegmentRoom {
        let used = min(segment.end - segment.first, records)
        return SegmentRoom(
            offset: segment.bytes, bytes: isFresh(segment, now: now) ? bytes - segment.bytes : 0,
            records: Int(clamping: records - used))
    }

    @inline(__always)
    private func isFresh(_ segment: Segment, now: Int64) -> Bool {
        (now - segment.storedAt).magnitude < UInt64(seconds) || now <= 0
    }
}

/// The room in a segment after that offset.
struct SegmentRoom {
    let offset: Int
    let bytes: Int
    let records: Int
}
