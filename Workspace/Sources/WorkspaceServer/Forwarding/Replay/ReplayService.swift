import Logging
import ServiceLifecycle
import WorkspaceCore

/// Hands the events of replays over to the delivery of their destinations, a few at a time.
///
/// An event that was handed over waits as one that is tried again does. So its delivery has the order, the pauses, the
/// attempts and the dead letters of all others, and the rules of its moment decide once more. Events that arrive
/// meanwhile go on beside it, except those of the same user, which come after it.
struct ReplayService: Service {
    let store: Store
    let sources: SourceRegistry
    let supervisor: ForwardingSupervisor
    let scans: Scans
    /// Whether this server forwards to a destination: one node of a cluster does.
    let forwards: @Sendable (Int64) -> Bool
    let now: @Sendable () -> Int64
    let logger: Logger
    let failures: RepeatedFailures
    /// Between two looks.
    let pause: Duration

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await look()
                } catch is CancellationError {
                    return
                } catch {
                    failures.log(
                        "replays cannot go on now", kind: "replay", logger, level: .warning,
                        metadata: ["error": "\(error)"])
                }
                // A cancelled pause ends the loop.
                try? await Task.sleep(for: pause)
            }
        }
    }

    private func look() async throws {
        let replays = try await store.runningReplays().filter { forwards($0.destination) }
        guard !replays.isEmpty else { return }
        let destinations = try await store.enabledDestinations()
        for replay in replays {
            // A destination that is off gets nothing, and its replay waits.
            guard let (destination, writeKey) = destinations.first(where: { $0.destination.id == replay.destination })
            else { continue }
            try await handOver(replay, destination, writeKey)
        }
    }

    private func handOver(_ replay: Replay, _ destination: Destination, _ writeKey: String) async throws {
        var replay = replay
        var room = replay.room(waiting: try await store.waitingCount(of: destination.id), pause: pause)
        let events = ForwardableEvents(
            store: store, sources: sources, writeKey: writeKey, source: destination.source,
            destination: destination.name, categories: destination.categories, logger: logger)
        while room > 0, replay.state == .running {
            try Task.checkCancellation()
            let limit = min(room, Limits.forwardedAtOnce)
            let page = try await events.chosen(replay.rest(of: writeKey, limit: limit), scans)
            let handed = page.candidates.compactMap(Self.undelivered)
            replay.handedOver += handed.count
            replay.leftOut += page.candidates.count - handed.count
            replay.position = page.through
            if page.isLast { replay.state = .finished }
            guard try await store.note(replay, handing: handed, endedAt: page.isLast ? now() : nil) else { return }
            await supervisor.retry(handed, of: destination.id)
            room -= handed.count
        }
    }

    private static func undelivered(_ candidate: ForwardingMachine.Candidate) -> Undelivered? {
        guard case .event(let event) = candidate else { return nil }
        return Undelivered(sequence: event.sequence, messageId: event.messageId, partition: event.partition)
    }
}
