import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Says which token or login a request has, and what it may do. The page shows only what its reader may do.
struct WhoRoutes: Sendable {
    let sources: SourceRegistry

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/login") { _, _ in
            let administrator = Administrator.current
            let isLimited = administrator.sight.sources != nil
            let seen = isLimited ? JSON.array(await sources.all().map { .string($0.writeKey) }) : .null
            return Response.json([
                "token": .string(administrator.token), "role": .string(administrator.role.rawValue), "sources": seen,
                "personalData": .string(administrator.sight.personalData.rawValue),
                "endsAt": .time(administrator.endsAt),
            ])
        }
    }
}
