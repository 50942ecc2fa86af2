import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes for monitors of the server.
struct HealthRoutes: Sendable {
    let intake: any Intake

    func add(to router: Router<WorkspaceContext>) {
        for prefix in ["", "v1/"] {
            router.get("\(prefix)health") { _, _ in Response.json(["status": "ok"]) }
            router.get("\(prefix)ready") { _, _ in await ready() }
        }
        router.get("robots.txt") { _, _ in Response.text("User-agent: *\nDisallow: /\n", type: "text/plain") }
    }

    /// Whether a load balancer should send clients here.
    private func ready() async -> Response {
        let state = await intake.state
        return Response.json(.object(state.json), status: state.isReady ? .ok : .serviceUnavailable)
    }
}
