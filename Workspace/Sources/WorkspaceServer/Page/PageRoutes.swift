import HTTPTypes
import Hummingbird

/// The page of the workspace.
struct PageRoutes: Sendable {
    let access: AdminAccess

    /// Media types of the page's files, by the ending of the name.
    private static let types = ["css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"]

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("/") { request, _ in
            guard let secret = SessionCookie.secret(request), await access.login(of: secret) != nil else {
                return Response.redirect(to: "/login", type: .found)
            }
            return Response.text(try EmbeddedFile.named("index.html").text, type: "text/html")
        }
        router.get("page/:file") { request, context in try Self.file(request, context.pathParameter("file")) }
        // Browsers request it by themselves, and report a refusal on their console.
        router.get("favicon.ico") { _, _ in Response(status: .noContent) }
    }

    private static func file(_ request: Request, _ name: String) throws -> Response {
        guard let ending = name.split(separator: ".").last, let type = types[String(ending)] else {
            throw APIError.notFound("there is no file \(name)")
        }
        let file = try EmbeddedFile.named(name)
        // The browser caches the file and asks each time whether it has changed, so a new version of the server shows
        // at once.
        let headers: HTTPFields = [
            .contentType: "\(type); charset=utf-8", .cacheControl: "no-cache", .eTag: file.tag.text,
        ]
        if file.tag.matches(request.headers[.ifNoneMatch]) { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.content))
    }
}
