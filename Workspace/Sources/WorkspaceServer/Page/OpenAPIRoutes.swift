import Hummingbird
import WorkspaceCore

/// Serves the description of the API.
struct OpenAPIRoutes: Sendable {
    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/openapi.json") { _, _ in
            Response.text(try EmbeddedFile.named("openapi.json").text, type: "application/json")
        }
    }
}
