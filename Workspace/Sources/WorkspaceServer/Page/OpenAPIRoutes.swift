import Hummingbird

/// The description of everything that the server answers.
struct OpenAPIRoutes: Sendable {
    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/openapi.json") { _, _ in
            Response.text(try EmbeddedFile.named("openapi.json").text, type: "application/json")
        }
    }
}
