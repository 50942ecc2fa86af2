import ServiceLifecycle
import WorkspaceCore

/// The deletions of one kind that run now: erasures of users, or removals of sources. A deletion continues when its client
/// disconnects. A second request for the same thing waits for the deletion that runs. The end of the server cancels it.
actor DeletionRuns<Output: Sendable>: Service {
    typealias Deletion =
        @Sendable (
            _ name: String, _ administrator: Administrator, _ progress: @escaping @Sendable (ErasureProgress) -> Void
        ) async throws -> Output

    /// The state of a run.
    enum Standing: Sendable {
        case finished(Output)
        case running(ErasureProgress)
    }

    private struct Run {
        let task: Task<Void, Never>
        let progress: LatestProgress
        var waiting: [Int: CheckedContinuation<Standing, any Error>] = [:]
    }

    private let deletion: Deletion
    private var runs: [ExactText: Run] = [:]
    private var nextId = 0
    private var isEnding = false

    init(_ deletion: @escaping Deletion) { self.deletion = deletion }

    /// Begins to delete something, or waits for the deletion that runs, at most for that time.
    func delete(_ name: String, by administrator: Administrator, within patience: Duration) async throws -> Standing {
        guard !isEnding else { throw Refusal(.unavailable, "the server ends") }
        let key = ExactText(name)
        if runs[key] == nil { begin(name, administrator) }
        nextId += 1
        let id = nextId
        let limit = Task {
            try await Task.sleep(for: patience)
            leave(key, id)
        }
        defer { limit.cancel() }
        return try await withCheckedThrowingContinuation { runs[key]?.waiting[id] = $0 }
    }

    /// Waits until the server stops, cancels the deletions and waits for their end.
    func run() async throws {
        // The call throws when the server stops without a graceful shutdown, which is a stop as well.
        try? await gracefulShutdown()
        isEnding = true
        let tasks = runs.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func begin(_ name: String, _ administrator: Administrator) {
        let progress = LatestProgress()
        let task = Task { [deletion] in
            let result: Result<Standing, any Error>
            do {
                result = .success(.finished(try await deletion(name, administrator, progress.set)))
            } catch {
                result = .failure(error)
            }
            end(ExactText(name), result)
        }
        runs[ExactText(name)] = Run(task: task, progress: progress)
    }

    private func end(_ name: ExactText, _ result: Result<Standing, any Error>) {
        let run = runs.removeValue(forKey: name)
        for continuation in (run?.waiting ?? [:]).values { continuation.resume(with: result) }
    }

    /// Answers a request that waited long enough with the progress of the run.
    private func leave(_ name: ExactText, _ id: Int) {
        guard let progress = runs[name]?.progress.value else { return }
        runs[name]?.waiting.removeValue(forKey: id)?.resume(returning: .running(progress))
    }
}

extension DeletionRuns<Erased> {
    init(_ erasure: Erasure) {
        self.init { userId, administrator, progress in
            try await erasure.erase(userId, by: administrator, progress)
        }
    }
}
