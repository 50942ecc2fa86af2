import HTTPTypes
import Hummingbird

/// Adds the headers that keep browsers careful.
///
/// Pages of every origin may send events and read settings and bundles. Everything else is the workspace's own page and
/// its administration: a page from elsewhere that is open in the same browser must not read or change them.
struct HeaderMiddleware<Context: RequestContext>: RouterMiddleware {
    /// What pages of every origin may ask for.
    let open: RouteTable

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.xContentTypeOptions] = "nosniff"
        // To itself the page says where it comes from: without that, browsers send `Origin: null` with its forms.
        response.headers[named: "Referrer-Policy"] = "same-origin"
        response.headers[.contentSecurityPolicy] =
            "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
        if open.has(request.uri.path) { response.headers[.accessControlAllowOrigin] = "*" }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }
}
