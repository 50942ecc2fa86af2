import WorkspaceCore
import WorkspaceServer

/// Cancels work that takes too long.
enum Attempt {
    /// - Returns: nil when the time ended first. Then the work was cancelled.
    static func within<Result: Sendable>(
        _ time: Duration, _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result? {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask(operation: work)
            group.addTask {
                try await Task.sleep(for: time)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
