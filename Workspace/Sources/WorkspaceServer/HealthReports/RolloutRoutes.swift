import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes that show a roll-out with a plan, and override it by hand.
struct RolloutRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.put("api/sources/:writeKey/live-plugins/rollout/announced") { request, context in
            try await announce(request, context.pathParameter("writeKey"))
        }
        for kind in RolloutKind.allCases {
            router.get("api/sources/:writeKey/\(kind.path)/rollout") { _, context in
                try await answer(kind, try await sources.known(context.pathParameter("writeKey")))
            }
            router.post("api/sources/:writeKey/\(kind.path)/rollout/pause") { _, context in
                try await answer(kind, try await sources.pauseRollout(kind, of: context.pathParameter("writeKey")))
            }
            router.post("api/sources/:writeKey/\(kind.path)/rollout/resume") { _, context in
                try await answer(kind, try await sources.resumeRollout(kind, of: context.pathParameter("writeKey")))
            }
            router.post("api/sources/:writeKey/\(kind.path)/rollout/advance") { _, context in
                try await advance(kind, try await sources.known(context.pathParameter("writeKey")))
            }
        }
    }

    private func announce(_ request: Request, _ writeKey: String) async throws -> Response {
        let body = try await AdministrationBody.json(request)
        guard let texts = body["announced"]?.elements, texts.allSatisfy({ $0.stringValue != nil }) else {
            throw Refusal.invalid("announced is a list of differences, such as changed:Checkout:properties.total")
        }
        let differences = try AnnouncedDifference.list(texts.compactMap(\.stringValue))
        return try await answer(.livePlugins, try await sources.announce(differences, of: writeKey))
    }

    private func advance(_ kind: RolloutKind, _ source: Source) async throws -> Response {
        guard let record = try await store.rollout(kind, of: source.id), record.isOpen else {
            throw Refusal.noRollout(kind, source.writeKey)
        }
        _ = try await sources.carryOut(
            record.next, of: record, because: "an operator began the next stage", in: source.writeKey)
        return try await answer(kind, source)
    }

    private func answer(_ kind: RolloutKind, _ source: Source) async throws -> Response {
        let rollout = try await store.rollout(kind, of: source.id)
        return Response.json(["rollout": rollout?.summary ?? .null])
    }
}
