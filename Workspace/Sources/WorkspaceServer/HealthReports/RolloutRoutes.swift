import Hummingbird
import TributaryJSON

/// Routes that show a roll-out with a plan, and override it by hand.
struct RolloutRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/sources/:writeKey/live-plugins/rollout") { _, context in
            try await answer(try await sources.known(context.pathParameter("writeKey")))
        }
        router.post("api/sources/:writeKey/live-plugins/rollout/pause") { _, context in
            try await answer(try await sources.pauseRollout(of: context.pathParameter("writeKey")))
        }
        router.post("api/sources/:writeKey/live-plugins/rollout/resume") { _, context in
            try await answer(try await sources.resumeRollout(of: context.pathParameter("writeKey")))
        }
        router.post("api/sources/:writeKey/live-plugins/rollout/advance") { _, context in
            let source = try await sources.known(context.pathParameter("writeKey"))
            guard let record = try await store.rollout(of: source.id), record.isOpen else {
                throw APIError.noRollout(source.writeKey)
            }
            _ = try await sources.carryOut(
                record.next, of: record, because: "somebody moved it on", in: source.writeKey)
            return try await answer(source)
        }
    }

    private func answer(_ source: Source) async throws -> Response {
        let rollout = try await store.rollout(of: source.id)
        return Response.json(["rollout": rollout?.summary ?? .null])
    }
}
