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
    let sights: RouteSights
    let sources: SourceRegistry
    let bodyMemory: BodyMemory
    /// The grant of another token that is valid for these routes; nil for all others.
    var reader: (@Sendable (String) async throws -> Grant?)?

    func handle(
        _ request: Request, context: WorkspaceContext, next: (Request, WorkspaceContext) async throws -> Response
    ) async throws -> Response {
        let administrator = try await administrator(request, context)
        let needed = roles.role(of: request.method, at: context.endpointPath)
        guard administrator.role >= needed else {
            throw Refusal(
                .forbidden, "\(administrator.words) has the role \(administrator.role); this needs the role \(needed)")
        }
        return try await Administrator.$current.withValue(administrator) {
            try await sights.check(administrator, request, context) { writeKey in
                (try? await sources.known(writeKey)) != nil
            }
            let response = try await BodyLoan.$current.withValue(BodyLoan(bodyMemory, .administrator)) {
                try await next(request, context)
            }
            return Self.limited(response, to: administrator)
        }
    }

    /// The body of an answer may be written later, when the request is over. It is written with the same limits.
    private static func limited(_ response: Response, to administrator: Administrator) -> Response {
        guard !administrator.sight.isAll else { return response }
        var response = response
        let body = response.body
        response.body = ResponseBody(contentLength: body.contentLength) { writer in
            let sink = writer
            try await Administrator.$current.withValue(administrator) { try await body.write(sink) }
        }
        return response
    }

    private func administrator(_ request: Request, _ context: WorkspaceContext) async throws -> Administrator {
        if let token = Self.bearer(request) {
            let own = try await reader?(token)
            let grant = if let own { own } else { await access.grant(token) }
            guard try guesses.check(request, context, isRight: { grant != nil }), let grant else {
                throw await Refusal.unauthorized(access.refusal(of: token))
            }
            return Administrator(way: .token, grant)
        }
        guard let secret = SessionCookie.secret(request), let login = await access.login(of: secret) else {
            throw Refusal.unauthorized("a token is needed: Authorization: Bearer TOKEN")
        }
        if request.method != .get, request.method != .head { try origin.checkSender(request) }
        return Administrator(way: login.isOfPerson ? .person : .login, login)
    }

    private static func bearer(_ request: Request) -> String? {
        guard let authorization = request.headers[.authorization] else { return nil }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
    }
}
