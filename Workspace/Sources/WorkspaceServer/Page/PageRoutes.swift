import Hummingbird

/// The page of the workspace.
struct PageRoutes: Sendable {
    let access: AdminAccess

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("/") { request, _ in
            guard let secret = SessionCookie.secret(request), await access.isLogin(secret) else {
                return Response.redirect(to: "/login", type: .found)
            }
            return Response.text(PageSources.indexHTML, type: "text/html")
        }
        router.get("style.css") { _, _ in Response.text(PageSources.styleCSS, type: "text/css") }
        // Browsers ask for it unasked, and complain on their console about a refusal.
        router.get("favicon.ico") { _, _ in Response(status: .noContent) }
        router.get("app.js") { _, _ in Response.text(PageSources.appJS, type: "text/javascript") }
        router.get("icon.svg") { _, _ in Response.text(PageSources.iconSVG, type: "image/svg+xml") }
    }
}
