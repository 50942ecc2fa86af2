import Logging
import ServiceLifecycle
import TributaryJournal
import WorkspaceCore

/// Reads acknowledged requests from the journal, in order, and stores their events.
///
/// The place in the journal is committed after the rows, and existing rows are not written again. So a crash repeats
/// and loses nothing. While the storage fails, requests stay in the journal, and the indexer tries again.
struct Indexer: Service {
    let journal: IngestJournal
    let store: Store
    let progress: IndexProgress
    let outcomes: RequestOutcomes
    let metrics: ServerMetrics
    let suppressions: SuppressionBook
    let now: @Sendable () -> Int64
    let logger: Logger
    let failures: RepeatedFailures
    /// Called after each commit.
    let committed: @Sendable () -> Void

    func run() async throws {
        let start = await progress.sequence
        // Requests that were stored right before a crash may still be in the journal.
        if start > journal.journal.watermark { tidy(start) }
        var cursor = journal.journal.cursor(after: start)
        for await _ in journal.arrivals.cancelOnGracefulShutdown() {
            while !Self.isEnding {
                guard try await turn(&cursor) else { break }
            }
        }
    }

    /// - Returns: whether more requests may wait.
    private func turn(_ cursor: inout JournalCursor) async throws -> Bool {
        let end = journal.lastSequence
        do {
            let records = try cursor.next(maxBytes: Limits.bytesReadAtOnce, maxRecords: Limits.requestsReadAtOnce)
            guard !records.isEmpty else {
                // Places that no request has are done as well.
                await progress.advance(to: end)
                if journal.journal.watermark < end { tidy(end) }
                return false
            }
            try await store(records)
        } catch {
            // Rows that were stored before the error stay.
            cursor = journal.journal.cursor(after: await progress.sequence)
            metrics.indexingFailed()
            failures.log(
                "acknowledged requests cannot be stored now; they wait in the journal", kind: "indexing", logger,
                metadata: ["error": "\(error)"])
            await progress.fail("\(error)")
            // A failure here costs only what the doctor could report about a journal that is cut off meanwhile.
            try? journal.noteAcknowledged()
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: Limits.indexerPause) }
        }
        return true
    }

    /// Inflates requests one after the other, and writes them as soon as they come to some megabytes, because a small
    /// compressed request may be large. When the server ends, the other requests stay in the journal.
    private func store(_ records: [JournalRecord]) async throws {
        var batches: [(batch: IncomingBatch, sequence: UInt64)] = []
        var bytes = 0
        let sources = try await store.sourceIds()
        for (index, record) in records.enumerated() {
            guard !Self.isEnding else { return }
            switch try read(record, sources) {
            case .batch(var batch):
                // Of a request that came before its user was suppressed, nothing is stored any more.
                suppressions.noteRefused(batch.remove(by: suppressions.list))
                metrics.foundUnreadableTimes(batch.unreadableTimes)
                bytes += batch.byteCount
                batches.append((batch, record.sequence))
            case .setAside: break
            case .ended: return
            case .newer:
                // Those before it can be stored; those behind it have to wait with it.
                if index > 0 { try await write(batches, through: records[index - 1].sequence) }
                throw WorkspaceError(
                    .dataFolder, "a newer version wrote a request of the journal; only that version can store it")
            }
            guard bytes >= Limits.bytesInTransaction || index == records.count - 1 else { continue }
            try await write(batches, through: record.sequence)
            (batches, bytes) = ([], 0)
        }
        if let last = records.last { tidy(last.sequence) }
    }

    private func write(_ batches: [(batch: IncomingBatch, sequence: UInt64)], through sequence: UInt64) async throws {
        let place = JournalOffset(epoch: journal.journal.epoch, sequence: sequence)
        let receipts = try await store.write(
            batches.map(\.batch), through: place, acknowledged: journal.acknowledged, now: now)
        metrics.indexed(receipts)
        if outcomes.hasListeners {
            for (entry, receipt) in zip(batches, receipts) {
                outcomes.publish(RequestOutcome(entry.batch, receipt), of: entry.sequence)
            }
        }
        await progress.advance(to: sequence)
        committed()
    }

    private static var isEnding: Bool { Task.isShuttingDownGracefully || Task.isCancelled }

    private enum Reading {
        case batch(IncomingBatch)
        /// The record is no request that can be indexed.
        case setAside
        /// The server ends.
        case ended
        /// A newer version wrote the record.
        case newer
    }

    private func read(_ record: JournalRecord, _ sources: Set<Int64>) throws -> Reading {
        guard !AcceptedRequest.isNewer(record.payload) else { return .newer }
        guard let request = AcceptedRequest(record.payload) else {
            return try setAside(record, because: "it is of no known form")
        }
        // The request was acknowledged while its source was removed.
        guard sources.contains(request.source) else {
            return try setAside(record, because: "its source is not there any more")
        }
        do {
            let place = JournalOffset(epoch: journal.journal.epoch, sequence: record.sequence)
            let batch = try RequestIndexing.batch(request, at: place) { Self.isEnding }
            return batch.map(Reading.batch) ?? .ended
        } catch {
            return try setAside(record, because: error.message)
        }
    }

    /// The request was readable when it was acknowledged, so this should not happen. It must not hold up the others,
    /// and it must not be lost.
    private func setAside(_ record: JournalRecord, because reason: String) throws -> Reading {
        let name = "\(String(journal.journal.epoch, radix: 16))-\(record.sequence)"
        try store.folder.setAside(record.payload, as: name)
        logger.error(
            "an acknowledged request cannot be read and was set aside",
            metadata: ["file": "unreadable/\(name)", "reason": "\(reason)"])
        return .setAside
    }

    /// Deletes files that are no longer needed. A failure is tried again with the next turn, and costs only room.
    private func tidy(_ sequence: UInt64) {
        do {
            try journal.journal.removeThrough(sequence)
            try journal.journal.prepare()
        } catch {
            failures.log(
                "the journal cannot be tidied", kind: "tidying", logger, level: .warning,
                metadata: ["error": "\(error)"])
        }
        for report in journal.journal.takeReports() {
            logger.warning("the journal reports", metadata: ["report": "\(report)"])
        }
    }
}
