import Logging
import ServiceLifecycle
import TributaryJSON
import WorkspaceCore

/// Sends deletion requests to webhooks that take them and to warehouses, and tries again until each is accepted, refused or too old.
struct DeletionService: Service {
    let store: Store
    let sources: SourceRegistry
    let supervisor: ForwardingSupervisor
    /// Whether this server forwards to a destination: one node of a cluster does.
    let forwards: @Sendable (Int64) -> Bool
    let now: @Sendable () -> Int64
    let logger: Logger
    let failures: RepeatedFailures
    /// Between two looks for requests that are due.
    let pause: Duration
    private let pauses = Backoff(first: 1_000, longest: 3_600_000)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await sendDue()
                } catch is CancellationError {
                    return
                } catch {
                    failures.log(
                        "deletion requests cannot be sent now", kind: "deletion", logger, level: .warning,
                        metadata: ["error": "\(error)"])
                }
                // A cancelled pause ends the loop.
                try? await Task.sleep(for: pause)
            }
        }
    }

    private func sendDue() async throws {
        let due = try await store.openDeletions().filter { $0.dueAt <= now() && forwards($0.destination) }
        guard !due.isEmpty else { return }
        let destinations = try await store.enabledDestinations()
        for request in due where !Task.isCancelled {
            guard let (destination, writeKey) = destinations.first(where: { $0.destination.id == request.destination }),
                let body = request.body
            else { continue }
            let answer: ForwardingAnswer
            switch try await supervisor.delivery(to: destination, of: writeKey) {
            case .events(let connection):
                let event = ForwardedEvent(
                    sequence: 0, messageId: request.messageId, partition: .init(digest: request.person),
                    body: [UInt8](body))
                answer = await connection.test(event)
            case .tables(let warehouse): answer = await warehouse.delete(try JSON.parse([UInt8](body)))
            case .objects: continue
            }
            // The result of a request that was cut off is unknown; it is sent again after the next start.
            guard !Task.isCancelled else { return }
            try await note(answer, request)
        }
    }

    private func note(_ answer: ForwardingAnswer, _ request: DeletionRequest) async throws {
        let time = now()
        var dueAt: Int64?
        var isAccepted = false
        switch answer {
        case .accepted: isAccepted = true
        case .refused: break
        case .failed, .unavailable:
            let isOld = time - request.at >= Limits.deletionDays * Day.milliseconds
            dueAt = isOld ? nil : time + pauses.pause(after: request.attempts, random: .random(in: 0..<1))
        }
        try await store.noteDeletion(request.id, isAccepted: isAccepted, answer: answer.text, dueAt: dueAt, now: time)
        if dueAt == nil, !isAccepted {
            logger.warning(
                "a destination did not take a deletion request",
                metadata: ["request": "\(request.messageId)", "answer": "\(answer.text)"])
        }
    }
}
