import Hummingbird
import WorkspaceCore

/// The cookie of a login on the page.
enum SessionCookie {
    /// Browsers send a cookie to all ports of a machine. The name contains the port, so two workspaces do not log each
    /// other out.
    static func name(_ request: Request) -> String {
        let port = request.head.authority?.split(separator: ":").last.flatMap { UInt16($0) }
        return "tributary-session" + (port.map { "-\($0)" } ?? "")
    }

    /// The secret that a request carries.
    static func secret(_ request: Request) -> String? { request.cookies[name(request)]?.value }

    /// The cookie of a login; with nil, a cookie that ends the login.
    static func make(_ secret: String?, for request: Request, isSecure: Bool) -> Cookie {
        Cookie(
            name: name(request), value: secret ?? "-", maxAge: secret == nil ? 0 : nil, path: "/",
            secure: isSecure, httpOnly: true, sameSite: .strict)
    }
}
