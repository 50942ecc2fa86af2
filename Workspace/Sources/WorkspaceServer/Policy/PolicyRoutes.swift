import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes for quotas, addresses and signal switches of a source.
struct PolicyRoutes: Sendable {
    let sources: SourceRegistry

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/sources/:writeKey/policy") { _, context in
            let writeKey = try context.pathParameter("writeKey")
            let source = try await sources.known(writeKey)
            return Response.json(source.policy.json)
        }
        router.put("api/sources/:writeKey/policy") { request, context in
            let changes = try await AdministrationBody.json(request)
            return Response.json(
                try await sources.changePolicy(changes, of: context.pathParameter("writeKey")).policy.json)
        }
    }
}
