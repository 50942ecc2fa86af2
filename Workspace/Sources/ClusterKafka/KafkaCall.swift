import Foundation
import WorkspaceServer

/// Calls of the library that block.
enum KafkaCall {
    /// How long the library waits for an answer; milliseconds.
    static let milliseconds: Int32 = 3_000

    /// Runs a call on a thread of its own: a call may wait for seconds, and the threads of tasks are as many as processors.
    /// - Parameter duration: how long its answer is waited for.
    /// - Throws: `LogError.unavailable` when the call takes too long, or what it throws.
    static func run<Answer: Sendable>(
        within duration: Duration = .seconds(10), _ work: @escaping @Sendable () throws -> Answer
    ) async throws -> Answer {
        let (answers, give) = AsyncStream.makeStream(of: Result<Answer, any Error>.self)
        Thread.detachNewThread { give.yield(Result { try work() }) }
        let limit = Task {
            try await Task.sleep(for: duration)
            give.finish()
        }
        defer { limit.cancel() }
        for await answer in answers { return try answer.get() }
        try Task.checkCancellation()
        throw LogError.unavailable("the brokers do not answer in time")
    }
}
