/// The one writer: batches that arrive while a transaction runs share the next one.
///
/// `append` returns after the commit. How many callers there are hardly matters then, since each waits for at most two
/// commits, and a commit costs the same for one batch as for hundreds.
actor BatchWriter {
    private struct Waiting {
        let batch: IncomingBatch
        let continuation: CheckedContinuation<Receipt, any Error>
    }

    private let store: Store
    private let now: @Sendable () -> Int64
    private let committed: @Sendable () -> Void
    private var waiting: [Waiting] = []
    private var waitingBytes = 0
    private var isWriting = false

    /// Batches that wait for the transaction after the one that runs.
    var waitingCount: Int { waiting.count }

    /// - Parameter committed: called after each commit, from any thread.
    init(store: Store, now: @escaping @Sendable () -> Int64, committed: @escaping @Sendable () -> Void) {
        self.store = store
        self.now = now
        self.committed = committed
    }

    /// Stores a batch; when this returns, it survives the power going out.
    ///
    /// - Throws: `APIError` when too much is waiting, `DatabaseError` when nothing of the batch was stored.
    func append(_ batch: IncomingBatch) async throws -> Receipt {
        guard batch.rowCount > 0 else { return Receipt() }
        let cost = batch.byteCount
        guard waitingBytes + cost <= Limits.waitingBytes else {
            throw APIError.overloaded("more events are waiting than the disk can take")
        }
        waitingBytes += cost
        return try await withCheckedThrowingContinuation { continuation in
            waiting.append(Waiting(batch: batch, continuation: continuation))
            if !isWriting {
                isWriting = true
                Task { await write() }
            }
        }
    }

    private func write() async {
        while !waiting.isEmpty {
            let group = takeGroup()
            let result: Result<[Receipt], any Error>
            do {
                result = .success(try await store.write(group.map(\.batch), now: now))
            } catch {
                result = .failure(error)
            }
            waitingBytes -= group.reduce(0) { $0 + $1.batch.byteCount }
            if case .success = result { committed() }
            resume(group, with: result)
        }
        isWriting = false
    }

    private func takeGroup() -> [Waiting] {
        var rows = 0
        let end = waiting.firstIndex { entry in
            rows += entry.batch.rowCount
            return rows > Limits.eventsInTransaction
        }
        // A single batch is always within reach, however large.
        let count = max(end ?? waiting.count, 1)
        defer { waiting.removeFirst(count) }
        return Array(waiting.prefix(count))
    }

    private func resume(_ group: [Waiting], with result: Result<[Receipt], any Error>) {
        switch result {
        case .success(let receipts):
            for (entry, receipt) in zip(group, receipts) { entry.continuation.resume(returning: receipt) }
        case .failure(let error):
            for entry in group { entry.continuation.resume(throwing: error) }
        }
    }
}
