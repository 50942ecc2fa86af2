/// A request as the journal keeps it: as it came, with what is known only when it comes.
///
/// Layout: version (1), form, flags (1 gzip, 2 uploadedAt is known), then source, receivedAt and uploadedAt as 64-bit
/// little-endian numbers, then the body.
struct AcceptedRequest: Sendable, Equatable {
    let form: RequestForm
    let isCompressed: Bool
    let source: Int64
    /// Milliseconds since 1970, by the server's clock.
    let receivedAt: Int64
    /// When the client began the upload, by its clock; nil when it did not say.
    let uploadedAt: Int64?
    let body: [UInt8]

    private static let version: UInt8 = 1
    private static let headBytes = 3 + 3 * 8

    init(
        form: RequestForm, isCompressed: Bool, source: Int64, receivedAt: Int64, uploadedAt: Int64?, body: [UInt8]
    ) {
        self.form = form
        self.isCompressed = isCompressed
        self.source = source
        self.receivedAt = receivedAt
        self.uploadedAt = uploadedAt
        self.body = body
    }

    /// The record for the journal.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headBytes + body.count)
        bytes += [Self.version, form.code, (isCompressed ? 1 : 0) | (uploadedAt == nil ? 0 : 2)]
        for number in [source, receivedAt, uploadedAt ?? 0] {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes += body
        return bytes
    }

    /// A record of the journal; nil when a newer version wrote it, or nobody of ours.
    init?(_ record: [UInt8]) {
        guard record.count >= Self.headBytes, record[0] == Self.version, let form = RequestForm(code: record[1]),
            record[2] < 4
        else { return nil }
        let numbers = record.withUnsafeBytes { bytes in
            (0..<3).map { Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 3 + $0 * 8, as: Int64.self)) }
        }
        self.init(
            form: form, isCompressed: record[2] & 1 != 0, source: numbers[0], receivedAt: numbers[1],
            uploadedAt: record[2] & 2 != 0 ? numbers[2] : nil, body: Array(record[Self.headBytes...]))
    }
}
