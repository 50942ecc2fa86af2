import Logging
import ServiceLifecycle
import WorkspaceCore

/// Moves open roll-outs of destination functions to their next step when it is due.
struct FunctionRolloutService: Service {
    let store: Store
    let sources: SourceRegistry
    let supervisor: ForwardingSupervisor
    /// Whether this server forwards to a destination: one node of a cluster does.
    let forwards: @Sendable (Int64) -> Bool
    let metrics: ServerMetrics
    let now: @Sendable () -> Int64
    let logger: Logger
    let failures: RepeatedFailures
    let pause: Duration

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                do {
                    try await look()
                } catch is CancellationError {
                    return  // The server stops; the next one goes on.
                } catch {
                    failures.log(
                        "the roll-outs of destination functions cannot be moved", kind: "look", logger,
                        metadata: ["error": "\(error)"])
                }
            } while await pause.wait()
        }
    }

    private func look() async throws {
        for one in try await store.openFunctionRollouts()
        where one.rollout.state == .running && forwards(one.destination.id) {
            do {
                try await look(one)
            } catch let error as Refusal where error.reason == .conflict {
                // Another request changed it meanwhile; the next look sees its new state.
                logger.debug("\(error.message)")
            }
        }
    }

    private func look(_ one: RolledOutFunction) async throws {
        var rollout = one.rollout
        guard let decision = rollout.look(at: now(), one.tries) else {
            return try await store.note(rollout, of: one.destination.id)
        }
        guard let source = await sources.all().first(where: { $0.id == one.destination.source }) else { return }
        let moved = try await Administrator.$current.withValue(.rollout) {
            try await store.carryOut(decision, of: one, because: nil, writeKey: source.writeKey, now: now())
        }
        if case .rollBack = decision { metrics.rolledBack(source: source.writeKey) }
        logger.notice(
            "a roll-out of a destination function goes on",
            metadata: [
                "source": "\(source.writeKey)", "destination": "\(one.destination.name)",
                "version": "\(moved.version)", "state": "\(moved.state.rawValue)",
                "percentage": "\(moved.percentage)", "reason": "\(moved.reason)",
            ])
        await supervisor.follow()
    }
}
