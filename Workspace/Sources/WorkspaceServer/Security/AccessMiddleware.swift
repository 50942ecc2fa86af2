import Foundation
import HTTPTypes
import Hummingbird

/// Lets through who has the admin token, or is logged in on the page.
///
/// It stands around the routes themselves, not around their paths, so that no spelling of a path leads past it.
struct AccessMiddleware<Context: RequestContext>: RouterMiddleware {
    let access: AdminAccess

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let administrator: Administrator
        if let token = Self.bearer(request) {
            guard access.isToken(token) else { throw APIError.unauthorized("that is not the admin token") }
            administrator = .token
        } else if let secret = SessionCookie.secret(request), await access.isLogin(secret) {
            try Self.checkOrigin(request)
            administrator = .login
        } else {
            throw APIError.unauthorized("the admin token is needed: Authorization: Bearer TOKEN")
        }
        return try await Administrator.$current.withValue(administrator) { try await next(request, context) }
    }

    private static func bearer(_ request: Request) -> String? {
        guard let authorization = request.headers[.authorization] else { return nil }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
    }

    /// A browser sends the cookie by itself, so what changes something must come from the page of this workspace.
    private static func checkOrigin(_ request: Request) throws(APIError) {
        guard request.method != .get, request.method != .head, let origin = request.headers[.origin] else { return }
        let authority = origin.components(separatedBy: "://").last
        guard let authority, authority.lowercased() == request.head.authority?.lowercased() else {
            throw APIError(.forbidden, "a page of \(origin) may not change this workspace")
        }
    }
}
