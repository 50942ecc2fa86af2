import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Logging in and out on the page.
struct LoginRoutes: Sendable {
    let access: AdminAccess

    private struct Form: Decodable {
        let token: String
    }

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("login") { _, _ in Self.page() }
        router.get("login.js") { _, _ in Response.text(PageSources.loginJS, type: "text/javascript") }
        router.post("login") { request, _ in try await login(request) }
        router.post("logout") { request, _ in await logout(request) }
    }

    private func login(_ request: Request) async throws -> Response {
        let body = try await AdministrationBody.bytes(request, limit: Limits.loginBody)
        guard let form = try? URLEncodedFormDecoder().decode(Form.self, from: String(buffer: body)) else {
            throw APIError.badRequest("the body is a form with a token")
        }
        guard let secret = await access.login(form.token.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            return Self.page(.unauthorized, "That is not the admin token.")
        }
        var response = Response.redirect(to: "/")
        response.setCookie(SessionCookie.make(secret, for: request))
        return response
    }

    private func logout(_ request: Request) async -> Response {
        if let secret = SessionCookie.secret(request) { await access.logout(secret) }
        var response = Response.redirect(to: "/login")
        response.setCookie(SessionCookie.make(nil, for: request))
        return response
    }

    private static func page(_ status: HTTPResponse.Status = .ok, _ problem: String = "") -> Response {
        let text = PageSources.loginHTML.replacing("<!-- problem -->", with: problem)
        var response = Response.text(text, type: "text/html")
        response.status = status
        return response
    }
}
