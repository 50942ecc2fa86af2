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
        segment.bytes + count <= bytes && segment.end - segment.first < records
            && ((now - segment.storedAt).magnitude < UInt64(seconds) || now <= 0)
    }
}
