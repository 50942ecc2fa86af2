import HTTPTypes
import Hummingbird
import NIOCore
import WorkspaceCore

/// The page of the workspace.
struct PageRoutes: Sendable {
    let access: AdminAccess
    let libraries: WebLibraries
    /// The document of each place. They differ in the modules that a browser loads at once.
    private let documents: [String: WebContent]
    /// The document of the board for readers of a link.
    private let shared: WebContent

    /// Media types of the page's files, by the ending of the name.
    private static let types = [
        "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "ts": "text/plain",
    ]

    /// - Parameter isNode: whether the workspace is a node of a cluster. The page has a place for the cluster then.
    init(access: AdminAccess, libraries: WebLibraries, isNode: Bool) throws {
        (self.access, self.libraries) = (access, libraries)
        func filled(_ name: String, entries: [String]) throws -> String {
            try PageDocument.text(name, entries: entries)
                .replacing(
                    #"<meta name="libraries" content="" data-version="">"#,
                    with: #"<meta name="libraries" content="\#(libraries.names)" data-version="\#(libraries.version)">"#
                )
        }
        var documents: [String: WebContent] = [:]
        for place in LoginTarget.places + ["events"] {
            let entries = ["places/console.js", "places/\(place)-place.js"]
            let text = try filled("index.html", entries: entries)
                .replacing(
                    #"<meta name="cluster" content="no">"#,
                    with: #"<meta name="cluster" content="\#(isNode ? "yes" : "no")">"#)
            documents[place] = WebContent(Array(text.utf8))
        }
        self.documents = documents
        shared = WebContent(Array(try filled("shared.html", entries: ["places/shared-board.js"]).utf8))
    }

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("/") { request, _ in try await document("events", request) }
        // The places share one document, which has a module that reads the address.
        for place in LoginTarget.places {
            router.get(RouterPath(place)) { request, _ in try await document(place, request) }
        }
        // Without a login: the token of the link is behind the number sign, which browsers send to no server.
        router.get("shared") { request, _ in shared.answer(request, type: "text/html", isKept: false) }
        // One event. The page reads its id from the address, so each id has the same document.
        router.get("events/:messageId") { request, _ in try await document("events", request) }
        router.get("library/:version/:file") { request, context in
            let file = try libraries.named(context.pathParameter("file"))
            let isCurrent = try context.pathParameter("version") == libraries.version
            return file.content.answer(request, type: file.type, isKept: isCurrent)
        }
        router.get("page/:version/:folder/:file") { request, context in
            let folder = try context.pathParameter("folder")
            let name = try folder + "/" + context.pathParameter("file")
            guard let ending = name.split(separator: ".").last, let type = Self.types[String(ending)] else {
                throw Refusal.notFound("there is no file \(name)")
            }
            // After an upgrade, a page that is still open asks for files of another version. It gets those of this one.
            let isCurrent = try context.pathParameter("version") == PageDocument.version
            return try EmbeddedFile.named(name).content.answer(request, type: type, isKept: isCurrent)
        }
        // Browsers request it by themselves, and report a refusal on their console.
        router.get("favicon.ico") { _, _ in Response(status: .noContent) }
    }

    private func document(_ place: String, _ request: Request) async throws -> Response {
        guard let secret = SessionCookie.secret(request), await access.login(of: secret) != nil else {
            return Response.redirect(to: LoginTarget(of: request).login, type: .found)
        }
        guard let document = documents[place] else { throw Refusal.notFound("there is no place \(place)") }
        return document.answer(request, type: "text/html", isKept: false)
    }
}
