import HTTPTypes
import Hummingbird

/// Adds the headers that keep browsers careful, and answers their questions about other origins.
///
/// Ingest, settings and bundles are for every origin. The administration is not: a page from elsewhere that is open in
/// the same browser must not read or change a workspace.
struct HeaderMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // By its parts, as the router takes it: a doubled slash makes no other path.
        let isPublic = request.uri.path.split(separator: "/").first != "api"
        var response: Response
        if isPublic, request.method == .options {
            response = Response(status: .noContent, headers: Self.preflight)
        } else {
            response = try await next(request, context)
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[named: "Referrer-Policy"] = "no-referrer"
        response.headers[.contentSecurityPolicy] =
            "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
        if isPublic { response.headers[.accessControlAllowOrigin] = "*" }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }

    private static var preflight: HTTPFields {
        [
            .accessControlAllowMethods: "GET, POST, OPTIONS",
            .accessControlAllowHeaders:
                "Authorization, Content-Type, Content-Encoding, X-Write-Key, X-Sent-At, X-Retry-Count",
            .accessControlMaxAge: "86400",
        ]
    }
}
