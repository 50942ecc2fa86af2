import Crypto
import HTTPTypes
import Hummingbird
import Logging
import TributaryJSON
import WorkspaceCore

/// Logging in on the page with a provider of OpenID Connect: the code flow with PKCE.
struct OpenIDRoutes: Sendable {
    let configuration: OpenIDConfiguration
    let provider: OpenIDProvider
    let access: AdminAccess
    let guesses: GuessGuard
    let origin: RequestOrigin
    let makeSecret: @Sendable () -> [UInt8]
    let now: @Sendable () -> Int64
    let logger: Logger

    static let path = "/login/oidc"

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("login/oidc") { request, context in
            try await guarded(request, context) { () async throws(OpenIDFault) in try await begin(request, context) }
        }
        router.get("login/oidc/callback") { request, context in
            try await guarded(request, context) { () async throws(OpenIDFault) in try await finish(request, context) }
        }
    }

    /// Shows the login page with the reason when a login does not succeed, and slows down who tries too often.
    private func guarded(
        _ request: Request, _ context: WorkspaceContext, _ work: () async throws(OpenIDFault) -> Response
    ) async throws -> Response {
        do throws(OpenIDFault) {
            return try await work()
        } catch {
            logger.warning("a login with OpenID Connect failed", metadata: ["reason": "\(error.text)"])
            var (status, text) = (HTTPResponse.Status.unauthorized, error.text)
            var isProvider = false
            switch error {
            case .provider: (status, isProvider) = (.badGateway, true)
            case .noRole: status = .forbidden
            case .token, .attempt: break
            }
            do throws(Refusal) {
                // It is no fault of the sender that the provider is away.
                _ = try guesses.check(request, context) { isProvider }
            } catch {
                (status, text) = (.tooManyRequests, "Too many logins from here did not succeed. Wait a minute.")
            }
            var page = try LoginPage.answer(status, text, openID: configuration)
            page.setCookie(cookie(nil, request, context))
            return page
        }
    }

    private func begin(_ request: Request, _ context: WorkspaceContext) async throws(OpenIDFault) -> Response {
        let attempt = OpenIDAttempt(
            state: Secret.text(makeSecret()), nonce: Secret.text(makeSecret()), verifier: Secret.text(makeSecret()),
            back: origin.of(request, context) + Self.path + "/callback",
            place: QueryReader(request).text("to").map { LoginTarget($0).address } ?? LoginTarget.events.address,
            begunAt: now())
        let address = try await provider.begin(attempt)
        guard let sealed = try? attempt.sealed(by: OpenIDAttempt.key(configuration)) else {
            throw .attempt("it cannot be kept")
        }
        var response = Response.redirect(to: address, type: .found)
        response.setCookie(cookie(sealed, request, context))
        return response
    }

    private func finish(_ request: Request, _ context: WorkspaceContext) async throws(OpenIDFault) -> Response {
        let query = QueryReader(request)
        guard let sealed = request.cookies[Self.cookieName(request)]?.value else {
            throw .attempt("this browser did not begin it here")
        }
        let attempt = try OpenIDAttempt(sealed: sealed, by: OpenIDAttempt.key(configuration), now: now())
        guard let state = query.text("state"), Secret.isText(state, ofDigest: AdminToken.digest(of: attempt.state))
        else {
            throw .attempt("it belongs to another one")
        }
        if let issuer = query.text("iss") {
            guard issuer.isSameText(as: try await provider.addresses().issuer) else {
                throw .attempt("another service ended it")
            }
        }
        if let error = query.text("error") {
            throw .provider("it refused, \(PlainName.shown(String(error.prefix(60))))")
        }
        guard let code = query.text("code"), code.utf8.count <= Limits.openIDToken else {
            throw .attempt("the service gave no code")
        }
        let claims = try await provider.finish(attempt, code: code)
        let values = claims.values.map(OpenIDRule.value)
        let matching = configuration.rules.map(\.value).filter(values.contains)
        guard !matching.isEmpty else { throw .noRole(claims.name) }
        let secret = await access.login(claims, values: matching)
        // The browser comes from another site, and sends the cookie of the login only after it was on a page of this one.
        var response = LoginPage.onward(to: LoginTarget(attempt.place).address)
        response.setCookie(SessionCookie.make(secret, for: request, isSecure: origin.isSecure(request, context)))
        response.setCookie(cookie(nil, request, context))
        return response
    }

    /// The browser sends it when the provider sends the browser back, so it is not strictly for the own site.
    private func cookie(_ sealed: String?, _ request: Request, _ context: WorkspaceContext) -> Cookie {
        Cookie(
            name: Self.cookieName(request), value: sealed ?? "-",
            maxAge: sealed == nil ? 0 : Int(Limits.openIDAttemptMilliseconds / 1_000), path: Self.path,
            secure: origin.isSecure(request, context), httpOnly: true, sameSite: .lax)
    }

    private static func cookieName(_ request: Request) -> String {
        SessionCookie.name(request).replacing("session", with: "login")
    }
}
