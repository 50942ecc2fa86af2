/// The position of the indexer, for requests that wait until acknowledged events are stored.
actor IndexProgress {
    private struct Waiting {
        let sequence: UInt64
        let continuation: CheckedContinuation<Void, Never>
    }

    /// Every request up to this place is stored.
    private(set) var sequence: UInt64
    /// Why nothing can be stored at present; nil while all is well.
    private(set) var failure: String?
    /// The end of a backlog that nobody waits for; 0 when there is none.
    private var backlog: UInt64 = 0
    private var waiting: [Int: Waiting] = [:]
    private var nextId = 0

    /// - Parameter backlog: the end of what an earlier process left, if that is too much to be waited for.
    init(sequence: UInt64, backlog: UInt64 = 0) {
        self.sequence = sequence
        self.backlog = backlog
    }

    /// Whether there is more to be stored than somebody waits for.
    var isBehind: Bool { sequence < backlog }

    func noteBacklog(through sequence: UInt64) { backlog = max(backlog, sequence) }

    func advance(to sequence: UInt64) {
        self.sequence = max(self.sequence, sequence)
        failure = nil
        for (id, entry) in waiting where entry.sequence <= self.sequence { resume(id) }
    }

    func fail(_ reason: String) { failure = reason }

    /// Waits until the indexer has reached a place, but not longer than that.
    func reach(_ sequence: UInt64, within duration: Duration) async {
        guard sequence > self.sequence else { return }
        nextId += 1
        let id = nextId
        let limit = Task {
            try await Task.sleep(for: duration)
            resume(id)
        }
        await withCheckedContinuation { continuation in
            waiting[id] = Waiting(sequence: sequence, continuation: continuation)
        }
        limit.cancel()
    }

    private func resume(_ id: Int) { waiting.removeValue(forKey: id)?.continuation.resume() }
}
