import Hummingbird

/// Says of requests that came over TLS that they did, so that addresses in answers lead back the same way.
struct SecureMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var head = request.head
        head.scheme = "https"
        return try await next(Request(head: head, body: request.body), context)
    }
}
