import Hummingbird
import TributaryJSON
import WorkspaceCore

/// The roll-out of a destination function: its state, and what an operator decides by hand.
extension DestinationRoutes {
    func addRollout(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/sources/:writeKey/destinations/:name/rollout") { _, context in
            try await answer(try await function(context).destination)
        }
        router.post("api/sources/:writeKey/destinations/:name/rollout/pause") { _, context in
            let (source, destination) = try await function(context)
            try await access.store.changeRollout(
                of: destination, .rolloutPaused, from: .running, writeKey: source.writeKey, now: access.now()
            ) { $0.pause() }
            return try await answer(destination)
        }
        router.post("api/sources/:writeKey/destinations/:name/rollout/resume") { _, context in
            let (source, destination) = try await function(context)
            let now = access.now()
            try await access.store.changeRollout(
                of: destination, .rolloutResumed, from: .paused, writeKey: source.writeKey, now: now
            ) { $0.resume(at: now) }
            return try await answer(destination)
        }
        router.post("api/sources/:writeKey/destinations/:name/rollout/advance") { _, context in
            let (source, destination) = try await function(context)
            guard let one = try await access.store.functionRollout(of: destination.id), one.rollout.isOpen else {
                throw Refusal.noRollout(of: destination)
            }
            let next = FunctionRolloutDecision.next(one.rollout.plan, one.rollout.progress)
            _ = try await access.store.carryOut(
                next, of: one, because: "an operator began the next stage", writeKey: source.writeKey, now: access.now()
            )
            await access.supervisor.follow()
            return try await answer(destination)
        }
    }

    /// Ends an open roll-out by going back to the version before it.
    /// - Parameter wanted: the version that the operator named; nil for the version before it.
    /// - Returns: the roll-out; nil when none is open.
    /// - Throws: `Refusal` when the operator named another version.
    func endRollout(of destination: Destination, in source: Source, wanted: Int64?) async throws -> FunctionRollout? {
        guard let one = try await access.store.functionRollout(of: destination.id), one.rollout.isOpen else {
            return nil
        }
        guard wanted ?? one.rollout.previous == one.rollout.previous else {
            throw Refusal(
                .conflict,
                "version \(one.rollout.version) is being rolled out; go back to version \(one.rollout.previous) first")
        }
        let decision = FunctionRolloutDecision.rollBack(.healthy)
        let ended = try await access.store.carryOut(
            decision, of: one, because: "an operator went back", writeKey: source.writeKey, now: access.now())
        await access.supervisor.follow()
        return ended
    }

    private func answer(_ destination: Destination) async throws -> Response {
        Response.json(["rollout": try await access.store.functionRollout(of: destination.id)?.summary ?? .null])
    }
}

extension RolledOutFunction {
    /// The roll-out as the administration shows it.
    var summary: JSON { rollout.summary(tries) }
}
