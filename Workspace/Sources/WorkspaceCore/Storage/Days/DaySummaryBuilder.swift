import Foundation
package import GRDB

/// Makes the summary of a day from its events.
package struct DaySummaryBuilder: Sendable {
    /// Columns of events that have an index.
    package static let columns: [EventQuery.Match.Column] = [.type, .name, .userId, .anonymousId]
    private static let bitsForEvent = 20

    private let revision: String
    private let blocks: Int
    /// The blocks without their checksums.
    private var bits: [UInt8]

    /// Begins a summary without values.
    package init(_ db: Database) throws {
        revision = try DaySchema.revision(db)
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM event") ?? 0
        // Hardly more than a user and a device that are new come with an event. Beyond the limit, more days are opened.
        let wanted = count * Self.bitsForEvent / (DaySummary.bytesOfBits * 8) + 1
        blocks = min(wanted, Limits.summaryBlocks)
        bits = Array(repeating: 0, count: blocks * DaySummary.bytesOfBits)
    }

    /// Adds the values of a column. Each part of the index gives each of its values once, in the order of the index.
    package mutating func insert(_ column: EventQuery.Match.Column, _ db: Database) throws {
        let name = column.rawValue
        let sql = """
            SELECT CAST(value AS BLOB) FROM (
                SELECT DISTINCT \(DaySchema.indexPart), \(name) AS value FROM event INDEXED BY event_\(name)
                WHERE \(name) IS NOT NULL)
            """
        let values = try Row.fetchCursor(db, sql: sql)
        while let row = try values.next() {
            try row.withUnsafeData(atIndex: 0) { data in insert(data.map { Array($0) } ?? [], column) }
        }
    }

    private mutating func insert(_ value: [UInt8], _ column: EventQuery.Match.Column) {
        let place = DaySummary.Place(of: value, in: column, among: blocks)
        for bit in place.bits { bits[place.block * DaySummary.bytesOfBits + bit / 8] |= 1 << UInt8(bit % 8) }
    }

    /// Writes the file beside its path; `DaySummaries` gives it its name. It is not synced: what a power cut leaves of it
    /// does not fit its checksums, and is made again.
    package func write(to path: String) throws -> DaySummary {
        var bytes = DaySummary.head(revision, blocks)
        bytes.reserveCapacity((1 + blocks) * DaySummary.blockBytes)
        for number in 0..<blocks {
            let start = number * DaySummary.bytesOfBits
            let block = Array(bits[start..<start + DaySummary.bytesOfBits])
            bytes += block + DaySummary.checksum(block, number, revision)
        }
        let isWritten = FileManager.default.createFile(
            atPath: path + DaySummaries.partial, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw CocoaError(.fileWriteUnknown) }
        return DaySummary(path: path, revision: revision, blocks: blocks)
    }
}
