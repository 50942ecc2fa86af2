/// What one append writes: a data record, a snapshot, or a snapshot followed by a data record.
struct Entry: Sendable {
    var snapshot: Frame?
    var data: Frame?
    /// The tag of the data record.
    var tag: JournalTag?

    /// An entry of those payloads, each within the limit.
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

    /// Bytes that it takes on disk.
    func byteCount(_ key: FrameKey) -> Int {
        [snapshot, data].reduce(0) { $0 + ($1.map { $0.bytes.count + key.overhead } ?? 0) }
    }

    /// The bytes to write; a snapshot that the entry lacks is taken from `standing`, for the beginning of a segment.
    mutating func finished(
        _ sequence: UInt64, key: FrameKey, standing: Frame? = nil
    ) throws(JournalError) -> [UInt8] {
        let first = snapshot ?? standing
        guard key.seal == nil else {
            let bytes = try first?.finished(sequence, key: key).bytes ?? []
            return try bytes + (data?.finished(sequence, tag: tag, key: key).bytes ?? [])
        }
        // The usual case, without a copy.
        data?.number(sequence, key: key)
        guard var first else { return data?.bytes ?? [] }
        first.number(sequence, key: key)
        return first.bytes + (data?.bytes ?? [])
    }
}
