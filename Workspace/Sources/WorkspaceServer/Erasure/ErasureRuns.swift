import HTTPTypes
import ServiceLifecycle

/// The erasures that are under way. One goes on when who asked for it leaves; whoever asks again for the same user waits
/// for the one that runs. When the server ends, it is cancelled and noted in the audit log as not finished.
actor ErasureRuns: Service {
    /// How a run stands.
    enum Standing: Sendable {
        case finished(Erased)
        case running(ErasureProgress)
    }

    private struct Run {
        let task: Task<Void, Never>
        let progress: LatestProgress
        var waiting: [Int: CheckedContinuation<Standing, any Error>] = [:]
    }

    private let erasure: Erasure
    private var runs: [String: Run] = [:]
    private var nextId = 0
    private var isEnding = false

    init(_ erasure: Erasure) { self.erasure = erasure }

    /// Begins to erase a user, or goes on waiting, but not longer than that.
    func erase(_ userId: String, by administrator: Administrator, within patience: Duration) async throws -> Standing {
        guard !isEnding else { throw APIError(.serviceUnavailable, "the server ends") }
        if runs[userId] == nil { begin(userId, administrator) }
        nextId += 1
        let id = nextId
        let limit = Task {
            try await Task.sleep(for: patience)
            leave(userId, id)
        }
        defer { limit.cancel() }
        return try await withCheckedThrowingContinuation { runs[userId]?.waiting[id] = $0 }
    }

    /// Waits for the end of the server, and then for that of the erasures.
    func run() async throws {
        // It throws when the server ends at once, which is its end as well.
        try? await gracefulShutdown()
        isEnding = true
        let tasks = runs.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func begin(_ userId: String, _ administrator: Administrator) {
        let progress = LatestProgress()
        let task = Task { [erasure] in
            let result: Result<Standing, any Error>
            do {
                result = .success(.finished(try await erasure.erase(userId, by: administrator, progress.set)))
            } catch {
                result = .failure(error)
            }
            end(userId, result)
        }
        runs[userId] = Run(task: task, progress: progress)
    }

    private func end(_ userId: String, _ result: Result<Standing, any Error>) {
        let run = runs.removeValue(forKey: userId)
        for continuation in (run?.waiting ?? [:]).values { continuation.resume(with: result) }
    }

    /// Lets one that waited long enough go with how far the run is.
    private func leave(_ userId: String, _ id: Int) {
        guard let progress = runs[userId]?.progress.value else { return }
        runs[userId]?.waiting.removeValue(forKey: id)?.resume(returning: .running(progress))
    }
}
