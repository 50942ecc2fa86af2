import Foundation
import HTTPTypes
import Hummingbird

/// Accepts requests with the admin token, or with a login of the page.
///
/// It is around the routes themselves, not around their paths, so no spelling of a path avoids it.
struct AccessMiddleware: RouterMiddleware {
    let access: AdminAccess
    let guesses: GuessGuard
    let origin: RequestOrigin
    /// The digest of another token that is valid for these routes, if there is one.
    var reader: Data?

    func handle(
        _ request: Request, context: WorkspaceContext, next: (Request, WorkspaceContext) async throws -> Response
    ) async throws -> Response {
        let administrator = try await administrator(request, context)
        return try await Administrator.$current.withValue(administrator) { try await next(request, context) }
    }

    private func administrator(_ request: Request, _ context: WorkspaceContext) async throws -> Administrator {
        if let token = Self.bearer(request) {
            let isRight = try guesses.check(request, context) {
                access.isToken(token) || reader.map { Secret.isText(token, ofDigest: $0) } ?? false
            }
            guard isRight else { throw APIError.unauthorized("that is not the admin token") }
            return .token
        }
        guard let secret = SessionCookie.secret(request), await access.isLogin(secret) else {
            throw APIError.unauthorized("the admin token is needed: Authorization: Bearer TOKEN")
        }
        if request.method != .get, request.method != .head { try origin.checkSender(request) }
        return .login
    }

    private static func bearer(_ request: Request) -> String? {
        guard let authorization = request.headers[.authorization] else { return nil }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
    }
}
