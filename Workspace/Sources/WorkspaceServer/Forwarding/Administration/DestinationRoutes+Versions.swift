import Hummingbird
import TributaryJSON
import WorkspaceCore

/// The versions of a destination function, and the way back to one of them.
extension DestinationRoutes {
    func addVersions(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/sources/:writeKey/destinations/:name/versions") { _, context in
            Response.json(try await versions(of: try await function(context).destination).json)
        }
        router.get("api/sources/:writeKey/destinations/:name/versions/:version") { _, context in
            let versions = try await versions(of: try await function(context).destination)
            let version = try versions.version(context.pathNumber("version"))
            return Response.json(FunctionVersionList.json(version, for: Administrator.current.role))
        }
        router.post("api/sources/:writeKey/destinations/:name/rollback") { request, context in
            let wanted = try FunctionVersion.wanted(try await AdministrationBody.optionalJSON(request))
            return try await rollBack(to: wanted, context)
        }
    }

    /// Stores an older version again, as a new one. It is checked as any other, because a secret that it needs may be gone.
    private func rollBack(to wanted: Int64?, _ context: WorkspaceContext) async throws -> Response {
        let (source, old) = try await function(context)
        if let ended = try await endRollout(of: old, in: source, wanted: wanted) {
            let after = try await versions(of: old)
            return Response.json(after.rolledBack(to: try after.version(ended.previous)))
        }
        let target = try await versions(of: old).target(wanted)
        let change = try await functions.checked(
            Store.DestinationChange(settings: target.given), of: old, label: source.writeKey)
        let (destination, _) = try await store(change, old.name, source, secret: makeSecret())
        return Response.json(try await versions(of: destination).rolledBack(to: target))
    }

    private func versions(of destination: Destination) async throws -> FunctionVersionList {
        FunctionVersionList(
            versions: try await access.store.versions(of: destination.functionOwner),
            owner: "the destination \(destination.name)")
    }

    func function(_ context: WorkspaceContext) async throws -> (source: Source, destination: Destination) {
        let found = try await access.destination(context)
        guard found.destination.kind == .function else {
            throw Refusal(
                .conflict,
                "the destination is of the kind \(found.destination.kind.name); only a function has versions")
        }
        return found
    }
}
