import HTTPTypes
import Hummingbird
import NIOCore
import WorkspaceCore

/// The page of the workspace.
struct PageRoutes: Sendable {
    let access: AdminAccess
    let libraries: WebLibraries
    /// Whether the workspace is a node of a cluster. The page has a place for the cluster then.
    let isNode: Bool

    /// Media types of the page's files, by the ending of the name.
    private static let types = [
        "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "ts": "text/plain",
    ]

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("/") { request, _ in try await document("index.html", request) }
        // All other places share one document, which has a module that reads the address.
        for place in LoginTarget.places {
            router.get(RouterPath(place)) { request, _ in try await document("place.html", request) }
        }
        router.get("library/:file") { request, context in
            let file = try libraries.named(context.pathParameter("file"))
            return Self.answer(request, file.content, type: file.type, file.tag)
        }
        router.get("page/:folder/:file") { request, context in
            let folder = try context.pathParameter("folder")
            let file = try context.pathParameter("file")
            return try Self.file(request, folder + "/" + file)
        }
        // Browsers request it by themselves, and report a refusal on their console.
        router.get("favicon.ico") { _, _ in Response(status: .noContent) }
    }

    private func document(_ name: String, _ request: Request) async throws -> Response {
        guard let secret = SessionCookie.secret(request), await access.login(of: secret) != nil else {
            return Response.redirect(to: LoginTarget(of: request).login, type: .found)
        }
        let text = try EmbeddedFile.named(name).text
        let named = #"<meta name="libraries" content="\#(libraries.names)">"#
        let filled = text.replacing(#"<meta name="libraries" content="">"#, with: named)
            .replacing(#"<meta name="cluster" content="no">"#, with: Self.clusterMeta(isNode))
        return Response.text(filled, type: "text/html")
    }

    /// How a document says to its modules whether there is a cluster, so that they need not ask.
    private static func clusterMeta(_ isNode: Bool) -> String {
        #"<meta name="cluster" content="\#(isNode ? "yes" : "no")">"#
    }

    private static func file(_ request: Request, _ name: String) throws -> Response {
        guard let ending = name.split(separator: ".").last, let type = types[String(ending)] else {
            throw Refusal.notFound("there is no file \(name)")
        }
        let file = try EmbeddedFile.named(name)
        return answer(request, file.content, type: type, file.tag)
    }

    /// The browser caches a file and asks each time whether it has changed, so a new version of the server shows at once.
    private static func answer(_ request: Request, _ content: ByteBuffer, type: String, _ tag: EntityTag) -> Response {
        let headers: HTTPFields = [
            .contentType: "\(type); charset=utf-8", .cacheControl: "no-cache", .eTag: tag.text,
        ]
        if tag.matches(request.headers[.ifNoneMatch]) { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: content))
    }
}
