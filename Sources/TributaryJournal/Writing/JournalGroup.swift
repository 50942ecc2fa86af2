/// Records that are appended with one write, prepared before the journal's lock is taken.
///
/// Their frames are in the order of the segment. Only their heads lack the sequence.
package struct JournalGroup: Sendable {
    private struct Item: Sendable {
        /// The beginning of the frame.
        let start: Int
        let tag: JournalTag?
    }

    private var bytes: [UInt8] = []
    private var items: [Item] = []

    /// A group without records.
    package init() {}

    /// The number of records.
    package var count: Int { items.count }
    package var isEmpty: Bool { items.isEmpty }
    /// The approximate bytes on disk.
    package var byteCount: Int { bytes.count }

    /// Adds a record at the end.
    package mutating func add(_ payload: [UInt8], tag: JournalTag? = nil) throws(JournalError) {
        guard payload.count <= JournalLimits.payloadBytes else {
            throw JournalError(.tooLarge, "\(payload.count) bytes are more than a record may have")
        }
        items.append(Item(start: bytes.count, tag: tag))
        Frame.add(.data, tag: tag, payload: payload, to: &bytes)
    }

    /// The payload and the tag of the first record.
    package var first: (payload: [UInt8], tag: JournalTag?)? {
        guard let item = items.first else { return nil }
        return (Array(bytes[payload(of: 0)]), item.tag)
    }

    /// Removes the first records.
    package mutating func removeFirst(_ count: Int) {
        guard count < items.count else { return removeAll() }
        let start = items[count].start
        bytes.removeFirst(start)
        items = items[count...].map { Item(start: $0.start - start, tag: $0.tag) }
    }

    /// Removes all records, and keeps the memory for reuse.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
    }

    private func end(of index: Int) -> Int { index + 1 < items.count ? items[index + 1].start : bytes.count }

    private func payload(of index: Int) -> Range<Int> {
        let start = items[index].start + Frame.headSize + (items[index].tag == nil ? 0 : JournalTag.size)
        return start..<end(of: index)
    }

    // MARK: For the journal

    /// The number of first records that fit.
    func count(in room: SegmentRoom, overhead: Int) -> Int {
        var count = 0
        while count < min(items.count, room.records), end(of: count) + (count + 1) * overhead <= room.bytes {
            count += 1
        }
        return count
    }

    /// The newest tag among the first records.
    func lastTag(ofFirst count: Int) -> JournalTag? { items.prefix(count).last { $0.tag != nil }?.tag }

    /// The first records as bytes to write, from that sequence on.
    mutating func finished(_ count: Int, from sequence: UInt64, key: FrameKey) throws(JournalError) -> [UInt8] {
        guard key.seal == nil else { return try sealed(count, from: sequence, key: key) }
        bytes.withUnsafeMutableBytes { raw in
            for index in 0..<count {
                Frame.number(
                    UnsafeMutableRawBufferPointer(rebasing: raw[items[index].start...]), sequence + UInt64(index),
                    check: key.check)
            }
        }
        return count == items.count ? bytes : Array(bytes[..<end(of: count - 1)])
    }

    private func sealed(_ count: Int, from sequence: UInt64, key: FrameKey) throws(JournalError) -> [UInt8] {
        var sealed: [UInt8] = []
        for index in 0..<count {
            let frame = bytes.withUnsafeBytes { raw in
                Frame(.data, tag: items[index].tag, payload: raw.slice(payload(of: index)))
            }
            sealed += try frame.finished(sequence + UInt64(index), tag: items[index].tag, key: key).bytes
        }
        return sealed
    }
}
