/// When a segment is full and the next one begins: early enough that whole segments are a fine measure for the bounds.
struct SegmentLimits: Sendable {
    let bytes: Int
    let records: UInt64
    let seconds: Int64

    init(_ bounds: JournalBounds, segmentBytes: Int) {
        bytes = min(segmentBytes, max(bounds.bytes / 8, SegmentHeader.size))
        records = UInt64(max(bounds.records / 8, 1))
        seconds = bounds.ageStep
    }

    /// The segment takes so many bytes more at that time. One whose beginning is not known, or lies in the future, is
    /// left too: what was stored when could not be told from it. A clock that cannot be read ends nothing.
    @inline(__always)
    func allow(_ count: Int, in segment: Segment, now: Int64) -> Bool {
        segment.bytes + count <= bytes && segment.end - segment.first < records && isFresh(segment, now: now)
    }

    /// What the segment takes more at that time.
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

/// What goes into a segment behind that offset.
struct SegmentRoom {
    let offset: Int
    let bytes: Int
    let records: Int
}
