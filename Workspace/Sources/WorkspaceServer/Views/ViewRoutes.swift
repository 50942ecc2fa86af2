import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes for saved questions and the board.
struct ViewRoutes: Sendable {
    let store: Store
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/views") { _, _ in
            Response.json(["views": .array(try await store.views().map(\.shown))])
        }
        router.get("api/views/:name") { _, context in
            Response.json(try await store.view(context.pathParameter("name")).shown)
        }
        router.put("api/views/:name") { request, context in
            let json = try await AdministrationBody.json(request)
            let (view, isNew) = try await store.putView(context.pathParameter("name"), json, now: now())
            return Response.json(view.shown, status: isNew ? .created : .ok)
        }
        router.delete("api/views/:name") { _, context in
            let name = try context.pathParameter("name")
            try await store.removeView(name, now: now())
            return Response.json(["removed": .string(name)])
        }
    }
}
