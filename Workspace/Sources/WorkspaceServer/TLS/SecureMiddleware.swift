import Hummingbird
import WorkspaceCore

/// Marks requests that came over TLS as https, so that addresses in answers begin with https too.
struct SecureMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var head = request.head
        head.scheme = "https"
        return try await next(Request(head: head, body: request.body), context)
    }
}
