import WorkspaceCore
import WorkspaceServer

/// A record of the log: a request with the events of one device, and how many rows it makes at most.
///
/// The version also grows when the form of requests changes. Otherwise an owner of an older version could not read such
/// a request, and would store it as rejected. Version 2 has the header of Global Privacy Control, version 3 countries; a
/// request without them is written as the version before, so that an older node can store it. Layout: version, rows as a 32-bit little-endian number,
/// then the request as the journal of one machine has it.
package struct ClusterRecord: Sendable {
    /// The most rows that the record makes. A record that cannot be read makes 1, because it becomes a rejected event.
    let rows: Int
    /// Nil when it cannot be read.
    let request: AcceptedRequest?

    /// Bytes of the largest record.
    package static let mostBytes = Limits.ingestBody + 1_024 + RequestCountries.mostBytes
    private static let version: UInt8 = 3
    private static let oldest: UInt8 = 1
    private static let headBytes = 5

    /// - Throws: `LogError.newer` when a newer version wrote the record. The record waits for a node that can read it.
    init(_ bytes: [UInt8]) throws(LogError) {
        guard !Self.isNewer(bytes) else { throw .newer("a record of the log") }
        guard bytes.count > Self.headBytes, bytes[0] >= Self.oldest,
            let request = AcceptedRequest(Array(bytes[Self.headBytes...]))
        else {
            (rows, self.request) = (1, nil)
            return
        }
        rows = Self.rows(bytes)
        self.request = request
    }

    /// The source of a record; nil for one that cannot be read.
    static func source(of bytes: [UInt8]) -> Int64? {
        guard !isNewer(bytes), bytes.count > headBytes, bytes[0] >= oldest else { return nil }
        return AcceptedRequest.source(of: Array(bytes[headBytes...].prefix(AcceptedRequest.headBytes)))
    }

    /// The record of a request.
    /// - Parameter rows: the items of the request.
    static func of(_ request: AcceptedRequest, rows: Int) -> [UInt8] {
        var bytes: [UInt8] = [request.countries != nil ? version : request.asksForPrivacy ? 2 : oldest]
        withUnsafeBytes(of: UInt32(clamping: rows).littleEndian) { bytes.append(contentsOf: $0) }
        return bytes + request.encoded
    }

    /// The record of a request with a batch of events, as it comes over HTTP.
    /// - Parameters:
    ///   - receivedAt: milliseconds since 1970, by the clock of the node.
    ///   - events: the number of events in the batch.
    ///   - body: JSON, not compressed.
    package static func batch(source: Int64, receivedAt: Int64, events: Int, body: [UInt8]) -> [UInt8] {
        of(
            AcceptedRequest(
                form: .batch, isCompressed: false, source: source, receivedAt: receivedAt, uploadedAt: nil, body: body),
            rows: events)
    }

    /// The partition of a device. All events of a device are in one partition, in order.
    /// - Parameter device: the anonymous id; without one the user id.
    package static func partition(source: Int64, device: String, of partitions: Int) -> Int {
        Int(MessageKey(.event, "\(source)/\(device)").low % UInt64(partitions))
    }

    private static func isNewer(_ bytes: [UInt8]) -> Bool { bytes.first.map { $0 > version } ?? false }

    /// The most rows that a record makes without scripts.
    static func rows(of bytes: [UInt8]) -> Int {
        bytes.first.map { $0 >= oldest } == true && bytes.count > headBytes ? max(1, rows(bytes)) : 1
    }

    /// The records that fit a block of so many rows. The first record always fits.
    /// - Returns: the place of the last one, nil when there is none; and the most rows that they make.
    /// - Throws: `LogError.newer` when a newer version wrote the first record. A later record of a newer version ends
    ///   the block.
    static func prefix(of records: [LogRecord], rows most: Int) throws(LogError) -> (through: UInt64?, rows: Int) {
        var (through, rows): (UInt64?, Int) = (nil, 0)
        for record in records {
            if isNewer(record.bytes) {
                guard through == nil else { break }
                throw .newer("the record \(record.place) of the log")
            }
            let more = Self.rows(of: record.bytes)
            guard through == nil || rows + more <= most else { break }
            (through, rows) = (record.place, rows + more)
        }
        return (through, rows)
    }

    private static func rows(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { Int(UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: 1, as: UInt32.self))) }
    }
}
