import Foundation
import Synchronization
import TributaryJournal
import WorkspaceCore
import WorkspaceServer

/// The log of a single machine: a journal for each partition. Appends of a journal share its syncs.
package final class LocalEventLog: EventLog {
    private let journals: [Journal]
    /// The places of the newest ids of each partition.
    private let known: Mutex<[KnownIds]>

    /// Opens the journals in a folder, and makes those that are missing.
    /// - Throws: `JournalError`.
    package init(folder: String, partitions: Int) throws {
        journals = try (0..<partitions).map { partition in
            let path = "\(folder)/partition-\(partition)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            return try Journal.open(path, options: IngestJournal.options(capacity: Limits.journalSegmentBytes * 8))
        }
        known = Mutex((0..<partitions).map { _ in KnownIds() })
    }

    package var partitions: Int { journals.count }

    @discardableResult
    package func append(_ record: [UInt8], id: String, to partition: Int) async throws -> UInt64 {
        if let place = known.withLock({ $0[partition][id] }) { return place }
        let place: UInt64
        do {
            place = try await journals[partition].appendDurably(record)
        } catch {
            throw error.reason == .tooLarge ? LogError.refused("\(error)") : .unavailable("\(error)")
        }
        known.withLock { $0[partition].add(id, place) }
        return place
    }

    package func read(
        _ partition: Int, from place: UInt64, atMost count: Int, bytes: Int
    ) async throws -> [LogRecord] {
        let journal = journals[partition]
        let standing = standing(journal)
        guard place <= standing.last + 1 else { throw LogError.wentBack(last: standing.last, known: place - 1) }
        guard place > journal.watermark else { throw LogError.trimmed(first: standing.first, asked: place) }
        var cursor = journal.cursor(after: place - 1)
        let records = try cursor.next(maxBytes: bytes, maxRecords: count)
        for (index, record) in records.enumerated() where record.sequence != place + UInt64(index) {
            throw LogError.broken("the record \(place + UInt64(index)) is damaged or missing")
        }
        return records.map { LogRecord(place: $0.sequence, bytes: $0.payload) }
    }

    package func standing(of partition: Int) -> LogRange { standing(journals[partition]) }

    package func trim(_ partition: Int, through place: UInt64) throws { try journals[partition].removeThrough(place) }

    package func close() { for journal in journals { journal.close() } }

    private func standing(_ journal: Journal) -> LogRange {
        LogRange(
            incarnation: String(journal.epoch, radix: 16), first: journal.watermark + 1, last: journal.lastSequence)
    }
}

/// The newest ids with their places, so that an append that is repeated is stored once.
package struct KnownIds {
    private static let capacity = 10_000
    private var places: [String: UInt64] = [:]
    private var order: [String] = []
    private var oldest = 0

    package init() {}

    package subscript(id: String) -> UInt64? { places[id] }

    package mutating func add(_ id: String, _ place: UInt64) {
        places[id] = place
        guard order.count == Self.capacity else {
            order.append(id)
            return
        }
        places[order[oldest]] = nil
        order[oldest] = id
        oldest = (oldest + 1) % Self.capacity
    }
}
