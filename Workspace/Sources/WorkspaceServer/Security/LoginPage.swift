import HTTPTypes
import Hummingbird
import WorkspaceCore

/// The documents that a browser gets around a login.
enum LoginPage {
    /// The login page.
    /// - Parameters:
    ///   - problem: why the last login did not succeed; empty for none.
    ///   - openID: the provider that people may log in with; nil for none.
    static func answer(
        _ status: HTTPResponse.Status = .ok, _ problem: String = "", openID: OpenIDConfiguration?
    ) throws -> Response {
        let button = openID.map { openID in
            """
            <p class="other"><a id="openid" class="button" href="\(OpenIDRoutes.path)">Log in with \(escaped(openID.name))</a></p>
            """
        }
        let text = try PageDocument.text("login.html", entries: [])
            .replacing("<!-- problem -->", with: escaped(problem))
            .replacing("<!-- openid -->", with: button ?? "")
        var response = Response.text(text, type: "text/html")
        response.status = status
        return response
    }

    /// A document that leads to a place of this workspace.
    static func onward(to place: String) -> Response {
        Response.text(
            """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Logged in</title>
            <meta http-equiv="refresh" content="0; url=\(escaped(place))"></head>
            <body><p>You are logged in. <a href="\(escaped(place))">Go on</a></p></body></html>
            """, type: "text/html")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }
}
