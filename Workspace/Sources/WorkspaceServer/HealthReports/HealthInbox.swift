package import Logging
import Synchronization
package import WorkspaceCore

/// Health reports that wait to be stored. A request is answered when its report is on the disk.
///
/// Reports that arrive during one transaction share the next one. May be used from any thread.
package final class HealthInbox: Sendable {
    package struct Waiting: Sendable {
        package let source: Source
        package let report: DeviceReport
        package let receivedAt: Int64
        fileprivate let continuation: CheckedContinuation<Void, any Error>

        package func end(_ result: Result<Void, any Error>) { continuation.resume(with: result) }
    }

    fileprivate struct State {
        var waiting: [Waiting] = []
        var counts: [Int64: Int] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Yields when reports wait.
    package let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    package init() { (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

    /// Puts a report in the line, and returns when it is stored.
    /// - Throws: `Refusal` when too many wait, or the server stops; the client sends the report again.
    package func store(_ report: DeviceReport, of source: Source, receivedAt: Int64) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let waiting = Waiting(source: source, report: report, receivedAt: receivedAt, continuation: continuation)
            let refusal = state.withLock { $0.take(waiting) }
            if let refusal {
                waiting.end(.failure(refusal))
            } else {
                signal.yield()
            }
        }
    }

    /// Takes all that wait, in their order.
    package func take() -> [Waiting] {
        state.withLock { state in
            defer { (state.waiting, state.counts) = ([], [:]) }
            return state.waiting
        }
    }

    /// How many wait.
    package var count: Int { state.withLock(\.waiting.count) }

    /// Asks the service to look.
    package func wake() { signal.yield() }

    /// Takes nothing more; what waits is refused.
    package func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { (state.waiting, state.counts) = ([], [:]) }
            return state.waiting
        }
        for waiting in waiting { waiting.end(.failure(Self.stopped)) }
        signal.finish()
    }

    fileprivate static let stopped = Refusal(.unavailable, "the server stops; send the report again")
}

extension [HealthInbox.Waiting] {
    /// Tells all clients to send their reports again.
    package func refuse(because error: any Error, _ logger: Logger) {
        // A server that stops cancels the work.
        if !(error is CancellationError) {
            logger.error("health reports cannot be stored", metadata: ["error": "\(error)"])
        }
        let refusal = Refusal(.unavailable, "the report cannot be stored now; send it again")
        for waiting in self { waiting.end(.failure(refusal)) }
    }
}

extension HealthInbox.State {
    /// - Returns: a refusal when there is no room.
    fileprivate mutating func take(_ new: HealthInbox.Waiting) -> Refusal? {
        guard !isClosed else { return HealthInbox.stopped }
        let count = counts[new.source.id] ?? 0
        guard waiting.count < Limits.waitingReports, count < Limits.waitingReportsOfSource else {
            return .overloaded("too many health reports wait; send it again")
        }
        waiting.append(new)
        counts[new.source.id] = count + 1
        return nil
    }
}
