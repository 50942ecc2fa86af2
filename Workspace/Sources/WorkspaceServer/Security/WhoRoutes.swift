import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Says which token or login a request has, and what it may do. The page shows only what its reader may do.
struct WhoRoutes: Sendable {
    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/login") { _, _ in
            let administrator = Administrator.current
            return Response.json(["token": .string(administrator.token), "role": .string(administrator.role.rawValue)])
        }
    }
}
