import Hummingbird
import TributaryJSON
import WorkspaceCore

/// The log of changes.
struct AuditRoutes: Sendable {
    let store: Store

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/audit") { request, _ in
            let (entries, next) = try await store.audit(QueryReader(request).audit())
            return Response.json(["entries": .array(entries), "next": .number(next)])
        }
    }
}

extension QueryReader {
    fileprivate func audit() throws(Refusal) -> AuditQuery {
        var query = AuditQuery()
        (query.before, query.limit) = (try number("before"), try limit())
        (query.writeKey, query.token, query.action) = (text("writeKey"), text("token"), text("action"))
        (query.since, query.until) = (try time("since"), try time("until"))
        if let by = text("by") {
            guard let way = Administrator.Way(rawValue: by) else {
                throw .invalid("by is one of \(Administrator.Way.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            query.way = way
        }
        query.words = (text("find") ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
        guard query.words.count <= Limits.auditWords else {
            throw .invalid("find has at most \(Limits.auditWords) words")
        }
        return query
    }
}
