import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes for saved questions and the board.
struct ViewRoutes: Sendable {
    let store: Store
    let sources: SourceRegistry
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/views") { _, _ in
            Response.json(["views": .array(try await seen(store.views()).map(\.shown))])
        }
        router.get("api/views/:name") { _, context in
            let name = try context.pathParameter("name")
            guard let view = try await seen([store.view(name)]).first else { throw Store.noView(name) }
            return Response.json(view.shown)
        }
        router.put("api/views/:name") { request, context in
            let json = try await AdministrationBody.json(request)
            let name = try context.pathParameter("name")
            try await checkSight(of: name, json)
            let (view, isNew) = try await store.putView(name, json, now: now())
            return Response.json(view.shown, status: isNew ? .created : .ok)
        }
        router.delete("api/views/:name") { _, context in
            let name = try context.pathParameter("name")
            guard try await !seen([store.view(name)]).isEmpty else { throw Store.noView(name) }
            try await store.removeView(name, now: now())
            return Response.json(["removed": .string(name)])
        }
    }

    /// - Throws: `Refusal` when the question that has the name now is not seen, or the new one would not be.
    private func checkSight(of name: String, _ json: JSON) async throws {
        guard let sources = Administrator.current.sight.sources else { return }
        if let old = try await store.views().first(where: { $0.name == name }), try await seen([old]).isEmpty {
            throw Refusal(.conflict, "there is a saved question \(name) already")
        }
        guard let query = json["query"]?.stringValue else { return }
        let source = QueryReader(query: try ViewQuery(query).text).text("source")
        guard let source, let known = try? await self.sources.known(source), sources.contains(known.id) else {
            throw Refusal.invalid("the query of the question names a source that this token or login sees: source=KEY")
        }
    }

    /// The questions that the author of the request sees: those of a source that it sees, and without the ids of people.
    private func seen(_ views: [SavedView]) async throws -> [SavedView] {
        guard !Administrator.current.sight.isAll else { return views }
        let isLimited = Administrator.current.sight.sources != nil
        let writeKeys = Set(await sources.all().map(\.writeKey))
        let hiding = try await store.hiding()
        return views.filter { view in
            let reader = QueryReader(query: view.query.text)
            if isLimited, !(reader.text("source").map(writeKeys.contains) ?? false) { return false }
            return hiding.map { !$0.isNamed(in: reader) } ?? true
        }
    }
}
