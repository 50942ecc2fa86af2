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
    let sources: SourceRegistry
    let scripts: ScriptStage
    /// The stored requests behind the place where the indexer begins.
    let backlog: ScriptBacklog
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
        var position = Position(await progress.sequence, backlog)
        // Requests that were stored right before a crash may still be in the journal.
        if position.start > journal.journal.watermark { tidy(position.start) }
        position.cursor = journal.journal.cursor(after: position.start)
        for await _ in journal.arrivals.cancelOnGracefulShutdown() {
            while !Self.isEnding {
                guard try await turn(&position) else { break }
            }
        }
        await scripts.close()
    }

    /// How far the journal was read.
    private struct Position {
        /// The place before the oldest request that is not stored.
        var start: UInt64
        /// The stored requests behind that.
        var backlog: ScriptBacklog
        var cursor: JournalCursor?

        init(_ start: UInt64, _ backlog: ScriptBacklog) { (self.start, self.backlog) = (start, backlog) }
    }

    /// - Returns: whether more requests may wait.
    private func turn(_ position: inout Position) async throws -> Bool {
        let end = journal.lastSequence
        do {
            var cursor = position.cursor ?? journal.journal.cursor(after: position.start)
            let records = try cursor.next(maxBytes: Limits.bytesReadAtOnce, maxRecords: Limits.requestsReadAtOnce)
            position.cursor = cursor
            guard !records.isEmpty else { return try await finish(&position, through: end) }
            try await store(records, &position)
        } catch {
            // Rows that were stored before the error stay.
            scripts.reset()
            position.cursor = journal.journal.cursor(after: position.start)
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

    /// Everything is read. Requests that went through scripts are stored.
    /// - Returns: whether there is more to do.
    private func finish(_ position: inout Position, through end: UInt64) async throws -> Bool {
        let main = max(position.cursor?.sequence ?? 0, end)
        try await refill(through: main)
        if try await write([], through: main, &position) { return true }
        // Places that no request has are done as well.
        let place = scripts.progress(reading: main).place
        position.start = max(position.start, place)
        await progress.advance(to: place)
        if journal.journal.watermark < place { tidy(place) }
        return false
    }

    /// Inflates requests one after the other, and writes them as soon as they come to some megabytes, because a small
    /// compressed request may be large. When the server ends, the other requests stay in the journal.
    private func store(_ records: [JournalRecord], _ position: inout Position) async throws {
        var batches: [Stored] = []
        var bytes = 0
        let (known, workspaceScripts) = (try await store.sourceIds(), await sources.scripts)
        for (index, record) in records.enumerated() {
            guard !Self.isEnding else { return }
            switch try read(record, known, position.backlog) {
            case .batch(let batch):
                let plugins = workspaceScripts[batch.source]
                if plugins != nil || scripts.isWaiting(batch.source) {
                    scripts.take(ScriptJob(sequence: record.sequence, batch: batch, scripts: plugins))
                } else {
                    bytes += batch.byteCount
                    batches.append((batch, record.sequence))
                }
            case .done: break
            case .ended: return
            }
            guard bytes >= Limits.bytesInTransaction || index == records.count - 1 else { continue }
            try await write(batches, through: record.sequence, &position)
            (batches, bytes) = ([], 0)
        }
        try await refill(through: records.last?.sequence ?? 0)
        tidy(position.start)
    }

    /// Reads requests again that were left in the journal because too much waited for the scripts of their source.
    private func refill(through main: UInt64) async throws {
        if journal.waitingBytes > journal.capacity / Limits.scriptJournalShare { await scripts.giveWay() }
        for (source, first) in scripts.refill {
            let known = try await store.sourceIds()
            let plugins = await sources.scripts[source]
            var cursor = journal.journal.cursor(after: first - 1)
            var next: UInt64? = first
            reading: while let place = next, place <= main, !Self.isEnding {
                let records = try cursor.next(
                    through: main, maxBytes: Limits.bytesReadAtOnce, maxRecords: Limits.requestsReadAtOnce)
                guard !records.isEmpty else { break }
                for record in records {
                    guard AcceptedRequest.source(of: record.payload) == source,
                        case .batch(let batch) = try read(record, known, .none)
                    else { continue }
                    let job = ScriptJob(sequence: record.sequence, batch: batch, scripts: plugins)
                    guard scripts.take(job, isLeft: true) else {
                        next = record.sequence
                        break reading
                    }
                }
                next = cursor.sequence + 1
            }
            scripts.refilled(source, next: next.flatMap { $0 > main ? nil : $0 })
        }
    }

    /// A request with its place in the journal.
    private typealias Stored = (batch: IncomingBatch, sequence: UInt64)

    /// Stores requests, and all requests that went through scripts meanwhile.
    /// - Parameter main: how far the journal was read.
    /// - Returns: whether there was any.
    @discardableResult
    private func write(_ read: [Stored], through main: UInt64, _ position: inout Position) async throws -> Bool {
        let ready = scripts.takeReady().map { job -> Stored in
            var batch = job.batch
            // Scripts may have named a suppressed user.
            suppressions.noteRefused(batch.remove(by: suppressions.list))
            return (batch, job.sequence)
        }
        let batches = read + ready
        guard !batches.isEmpty else {
            await progress.pass(to: main)
            return false
        }
        let (sequence, waiting) = scripts.progress(reading: main)
        let backlog = waiting.merged(with: position.backlog, reading: main)
        let place = JournalOffset(epoch: journal.journal.epoch, sequence: max(sequence, position.start))
        let receipts = try await store.write(
            batches.map(\.batch), through: place, acknowledged: journal.acknowledged, backlog: backlog, now: now)
        metrics.indexed(receipts)
        if outcomes.hasListeners {
            for (entry, receipt) in zip(batches, receipts) {
                outcomes.publish(RequestOutcome(entry.batch, receipt), of: entry.sequence)
            }
        }
        (position.start, position.backlog) = (place.sequence, backlog)
        await progress.advance(to: place.sequence)
        await progress.pass(to: main)
        committed()
        return true
    }

    private static var isEnding: Bool { Task.isShuttingDownGracefully || Task.isCancelled }

    private enum Reading {
        case batch(IncomingBatch)
        /// The record is stored already, or is no request that can be indexed.
        case done
        /// The server ends.
        case ended
    }

    private func read(
        _ record: JournalRecord, _ sources: Set<Int64>, _ backlog: ScriptBacklog
    ) throws -> Reading {
        guard let request = AcceptedRequest(record.payload) else {
            return try setAside(record, because: "it is of no known form")
        }
        guard !backlog.hasStored(record.sequence, of: request.source) else { return .done }
        // The request was acknowledged while its source was removed.
        guard sources.contains(request.source) else {
            return try setAside(record, because: "its source is not there any more")
        }
        do {
            let place = JournalOffset(epoch: journal.journal.epoch, sequence: record.sequence)
            guard var batch = try RequestIndexing.batch(request, at: place, isEnding: { Self.isEnding }) else {
                return .ended
            }
            // Of a request that came before its user was suppressed, nothing is stored any more.
            suppressions.noteRefused(batch.remove(by: suppressions.list))
            metrics.foundUnreadableTimes(batch.unreadableTimes)
            return .batch(batch)
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
        return .done
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
