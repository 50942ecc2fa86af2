import HTTPTypes
import Hummingbird
import WorkspaceCore

/// Adds the security headers for browsers.
///
/// Pages of every origin may send events and read settings and bundles. All other routes belong to the workspace's own
/// page and its administration: a page of another origin in the same browser must not read or change them.
struct HeaderMiddleware<Context: RequestContext>: RouterMiddleware {
    /// The paths that pages of every origin may use.
    let open: RouteTable
    /// Whether browsers may use https alone for this host from now on. Not with a certificate of the workspace itself: the
    /// rule holds for all ports, so it would reach other servers of a developer's machine.
    let isStrict: Bool

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.xContentTypeOptions] = "nosniff"
        // The page sends its origin to itself; without that, browsers send `Origin: null` with its forms.
        response.headers[named: "Referrer-Policy"] = "same-origin"
        response.headers[.contentSecurityPolicy] =
            "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
        if isStrict { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        if open.has(request.uri.path) {
            response.headers[.accessControlAllowOrigin] = "*"
            // Without this, a script of another origin cannot read how long it has to wait.
            response.headers[.accessControlExposeHeaders] = "Retry-After"
        }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }
}
