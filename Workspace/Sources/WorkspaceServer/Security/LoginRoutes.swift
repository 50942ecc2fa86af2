import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import WorkspaceCore

/// Logging in and out on the page.
struct LoginRoutes: Sendable {
    let access: AdminAccess
    let guesses: GuessGuard
    let origin: RequestOrigin
    let bodyMemory: BodyMemory
    /// The provider that people may log in with; nil for none.
    let openID: OpenIDConfiguration?

    private struct Form: Decodable {
        let token: String
        let to: String?
    }

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("login") { _, _ in try LoginPage.answer(openID: openID) }
        router.post("login") { request, context in try await login(request, context) }
        router.post("logout") { request, context in try await logout(request, context) }
    }

    private func login(_ request: Request, _ context: WorkspaceContext) async throws -> Response {
        try origin.checkSender(request)
        // A login comes without a key. Many senders without a key must not keep an operator out, so it gets other memory.
        let body = try await BodyLoan.$current.withValue(BodyLoan(bodyMemory, .administrator)) {
            try await AdministrationBody.bytes(request, limit: Limits.loginBody)
        }
        guard let form = try? URLEncodedFormDecoder().decode(Form.self, from: String(buffer: body)) else {
            throw Refusal.invalid("the body is a form with a token")
        }
        let token = form.token.trimmingCharacters(in: .whitespacesAndNewlines)
        let grant = await access.grant(token)
        do {
            _ = try guesses.check(request, context) { grant != nil }
        } catch {
            var page = try LoginPage.answer(
                error.status, "Too many wrong tokens came from here. Wait a minute.", openID: openID)
            page.headers[.retryAfter] = error.retryAfter.map { "\($0)" }
            return page
        }
        guard let grant else {
            return try LoginPage.answer(.unauthorized, Self.sentence(await access.refusal(of: token)), openID: openID)
        }
        let secret = await access.login(grant)
        var response = Response.redirect(to: form.to.map { LoginTarget($0).address } ?? LoginTarget.events.address)
        response.setCookie(SessionCookie.make(secret, for: request, isSecure: origin.isSecure(request, context)))
        return response
    }

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

    private func logout(_ request: Request, _ context: WorkspaceContext) async throws -> Response {
        try origin.checkSender(request)
        if let secret = SessionCookie.secret(request) { await access.logout(secret) }
        var response = Response.redirect(to: "/login")
        response.setCookie(SessionCookie.make(nil, for: request, isSecure: origin.isSecure(request, context)))
        return response
    }
}
