import Hummingbird
import TributaryJSON
import WorkspaceCore

/// The log of changes.
struct AuditRoutes: Sendable {
    let store: Store

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/audit") { request, _ in
            let query = QueryReader(request)
            let limit = try query.limit()
            let entries = try await store.audit(
                before: try query.number("before"), writeKey: query.text("writeKey"), limit: limit)
            let next = entries.count == limit ? entries.last?["sequence"] : nil
            return Response.json(["entries": .array(entries), "next": next ?? .null])
        }
    }
}
