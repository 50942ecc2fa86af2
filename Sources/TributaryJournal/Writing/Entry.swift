/// The records of one append: a data record, a snapshot, or a snapshot followed by a data record.
struct Entry: Sendable {
    var snapshot: Frame?
    var data: Frame?
    /// The tag of the data record.
    var tag: JournalTag?

    /// An entry with these payloads, each within the limit.
    init(_ payload: UnsafeRawBufferPointer?, tag: JournalTag? = nil, snapshot: [UInt8]? = nil) throws(JournalError) {
        for size in [payload?.count, snapshot?.count] {
            if let size, size > JournalLimits.payloadBytes {
                throw JournalError(.tooLarge, "\(size) bytes are more than a record may have")
            }
        }
        data = payload.map { Frame(.data, tag: tag, payload: $0) }
        self.tag = tag
        self.snapshot = snapshot.map { bytes in bytes.withUnsafeBytes { Frame(.snapshot, payload: $0) } }
    }

    init(_ payload: [UInt8], tag: JournalTag?, snapshot: [UInt8]?) throws(JournalError) {
        let entry = payload.withUnsafeBytes { bytes in
            Result { () throws(JournalError) in try Entry(bytes, tag: tag, snapshot: snapshot) }
        }
        self = try entry.get()
    }

    /// The bytes on disk.
    func byteCount(overhead: Int) -> Int {
        var count = 0
        if let data { count += data.bytes.count + overhead }
        if let snapshot { count += snapshot.bytes.count + overhead }
        return count
    }

    /// The bytes to write. At the beginning of a segment, a missing snapshot is taken from `standing`.
    mutating func finished(
        _ sequence: UInt64, key: FrameKey, standing: Frame? = nil
    ) throws(JournalError) -> [UInt8] {
        guard key.seal != nil else { return numbered(sequence, check: key.check, standing: standing) }
        let first = try (snapshot ?? standing)?.finished(sequence, key: key).bytes ?? []
        return try first + (data?.finished(sequence, tag: tag, key: key).bytes ?? [])
    }

    /// The bytes to write without a cipher and without a copy.
    mutating func numbered(_ sequence: UInt64, check: CRC32C, standing: Frame? = nil) -> [UInt8] {
        data?.number(sequence, check: check)
        snapshot?.number(sequence, check: check)
        var first = snapshot ?? standing
        if snapshot == nil { first?.number(sequence, check: check) }
        guard let first else { return data?.bytes ?? [] }
        return first.bytes + (data?.bytes ?? [])
    }
}
