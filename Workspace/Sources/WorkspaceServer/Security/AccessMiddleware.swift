import Foundation
import HTTPTypes
import Hummingbird
import WorkspaceCore

/// Accepts requests with a token, or with a login of the page, whose role allows the route.
///
/// It is around the routes themselves, not around their paths, so no spelling of a path avoids it.
struct AccessMiddleware: RouterMiddleware {
    let access: AdminAccess
    let guesses: GuessGuard
    let origin: RequestOrigin
    let roles: RouteRoles
    let bodyMemory: BodyMemory
    /// Another token that is valid for these routes, if there is one.
    var reader: MetricsToken?

    func handle(
        _ request: Request, context: WorkspaceContext, next: (Request, WorkspaceContext) async throws -> Response
    ) async throws -> Response {
        let administrator = try await administrator(request, context)
        let needed = roles.role(of: request.method, at: context.endpointPath)
        guard administrator.role >= needed else {
            let name = administrator.token.map { "the token \($0)" } ?? "this token"
            throw Refusal(.forbidden, "\(name) has the role \(administrator.role); this needs the role \(needed)")
        }
        return try await Administrator.$current.withValue(administrator) {
            try await BodyLoan.$current.withValue(BodyLoan(bodyMemory, .administrator)) {
                try await next(request, context)
            }
        }
    }

    private func administrator(_ request: Request, _ context: WorkspaceContext) async throws -> Administrator {
        if let token = Self.bearer(request) {
            let isReader = reader?.digest.map { Secret.isText(token, ofDigest: $0) } ?? false
            let grant = isReader ? Grant(name: nil, role: .look) : await access.grant(token)
            guard try guesses.check(request, context, isRight: { grant != nil }), let grant else {
                throw Refusal.unauthorized("that is no valid token of this workspace")
            }
            return Administrator(way: .token, token: grant.name, role: grant.role)
        }
        guard let secret = SessionCookie.secret(request), let grant = await access.login(of: secret) else {
            throw Refusal.unauthorized("a token is needed: Authorization: Bearer TOKEN")
        }
        if request.method != .get, request.method != .head { try origin.checkSender(request) }
        return Administrator(way: .login, token: grant.name, role: grant.role)
    }

    private static func bearer(_ request: Request) -> String? {
        guard let authorization = request.headers[.authorization] else { return nil }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
    }
}
