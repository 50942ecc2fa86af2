import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes for the links that show the board.
struct BoardLinkRoutes: Sendable {
    let links: BoardLinks

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/board-links") { _, _ in try await list() }
        router.post("api/board-links") { request, _ in try await add(request) }
        router.delete("api/board-links/:name") { _, context in
            try await links.store.removeBoardLink(named: context.pathParameter("name"), now: links.now())
            return try await list()
        }
    }

    private func add(_ request: Request) async throws -> Response {
        let body = try await AdministrationBody.json(request)
        guard let members = body.objectValue, let name = body["name"]?.stringValue,
            members.allSatisfy({ ["name", "until"].contains($0.key) })
        else { throw Refusal.invalid("the body is an object with a name, and with until or without it") }
        try PlainName.check(name, of: "a link", atMost: Limits.viewNameLength)
        let (link, token) = try await links.add(name, endsAt: try Self.end(body["until"]))
        var answer = link.shown
        answer["token"] = .string(token)
        answer["path"] = .string("/shared#\(token)")
        return Response.json(answer, status: .created)
    }

    /// A time or a day, at the beginning of which the link ends.
    private static func end(_ json: JSON?) throws(Refusal) -> Int64? {
        guard let json, !json.isNull else { return nil }
        guard let text = json.stringValue else { throw .invalid("until is a time, such as 2027-01-31") }
        return try QueryReader(pairs: [("until", text)]).time("until")
    }

    private func list() async throws -> Response {
        Response.json(["links": .array(try await links.store.boardLinks().map(\.shown))])
    }
}
