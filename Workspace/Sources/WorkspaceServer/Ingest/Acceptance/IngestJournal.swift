import Logging
import Synchronization
package import TributaryJournal
package import WorkspaceCore

/// Keeps acknowledged requests on disk until they are indexed.
///
/// A request is acknowledged when its bytes are on the medium. Requests that arrive while the medium is busy share the
/// next commit. May be used from any thread.
package final class IngestJournal: Sendable {
    package let journal: Journal
    /// One element for one or more new records.
    let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation
    let capacity: Int
    private let newestAcknowledged = Mutex<UInt64>(0)
    private let note: AcknowledgementNote

    /// - Parameter capacity: bytes that may wait for the indexer; beyond, clients are asked to send later.
    package init(folder: DataFolder, capacity: Int) throws(WorkspaceError) {
        self.capacity = capacity
        note = AcknowledgementNote(in: folder.path)
        (arrivals, arrived) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        do {
            journal = try Journal.open(folder.journalPath, options: Self.options(capacity: capacity))
            // Requests that an earlier process left.
            arrived.yield()
            newestAcknowledged.withLock { $0 = journal.lastSequence }
        } catch {
            throw WorkspaceError(
                .dataFolder, "the journal in \(folder.path) cannot be used: \(SystemReason.text(error))")
        }
    }

    /// Nothing in it may be dropped, so it has no bounds.
    package static func options(capacity: Int) -> JournalOptions {
        JournalOptions(
            segmentBytes: min(Limits.journalSegmentBytes, max(capacity / 8, 1)),
            bounds: JournalBounds(bytes: 1 << 60, records: 1 << 60, age: 1 << 40), durability: .groupCommit)
    }

    /// Stores a request; when this returns, the request survives a power cut.
    ///
    /// - Returns: its place.
    /// - Throws: `Refusal` when too many requests wait, `JournalError` when the medium fails.
    @discardableResult
    package func append(_ request: AcceptedRequest) async throws -> UInt64 {
        guard hasRoom else { throw Refusal.overloaded("more events are waiting than were indexed") }
        let sequence = try await journal.appendDurably(request.encoded)
        newestAcknowledged.withLock { $0 = max($0, sequence) }
        arrived.yield()
        return sequence
    }

    /// Asks the indexer to look.
    func wake() { arrived.yield() }

    /// The last request that was acknowledged.
    package var acknowledged: UInt64 { newestAcknowledged.withLock { $0 } }

    /// Notes the last acknowledged request in a file of its own, while the databases cannot be written.
    func noteAcknowledged() throws {
        try note.write(JournalOffset(epoch: journal.epoch, sequence: acknowledged))
    }

    /// No request has a later place.
    package var lastSequence: UInt64 { journal.lastSequence }

    /// Deletes the files of indexed requests, the newest file included: the next request begins another one.
    func discard(through sequence: UInt64) throws {
        // Far enough ahead of requests that arrive at the same time.
        try journal.reserve(through: journal.lastSequence + 10_000)
        try journal.removeThrough(sequence)
        // The indexer notes that no request has the places in between.
        arrived.yield()
    }

    /// Bytes of the files with requests that wait for the indexer. A file counts as a whole, also when a part of it is
    /// indexed.
    var waitingBytes: Int { waitingCount == 0 ? 0 : journal.byteCount }

    /// Requests that wait for the indexer.
    package var waitingCount: Int { journal.count }

    /// Requests that wait behind the last one that is indexed. A request leaves the journal a moment after it is indexed,
    /// so this is more exact than the count of the journal.
    package func waitingCount(after sequence: UInt64) -> Int {
        let last = lastSequence
        return min(Int(clamping: last - min(last, sequence)), waitingCount)
    }

    package var hasRoom: Bool { waitingBytes < capacity }

    package func close() {
        arrived.finish()
        // Without the note the doctor can report less about a journal that is cut off later; the requests are safe.
        if waitingCount > 0 { try? noteAcknowledged() }
        journal.close()
    }
}
