import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Shows which deletion requests a destination got.
struct DeletionRequestRoutes: Sendable {
    let access: DestinationAccess

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/sources/:writeKey/destinations/:name/deletions") { request, context in
            let query = QueryReader(request)
            let limit = try query.limit()
            let destination = try await access.destination(context).destination
            let requests = try await access.store.deletions(
                of: destination.id, before: try query.number("before") ?? .max, limit: limit + 1)
            let shown = requests.prefix(limit)
            let next = requests.count > shown.count ? shown.last?.id : nil
            return Response.json(["deletions": .array(shown.map(Self.json)), "next": .number(next)])
        }
    }

    private static func json(_ request: DeletionRequest) -> JSON {
        let state = request.endedAt == nil ? "open" : request.isAccepted ? "accepted" : "given up"
        return [
            "id": .string(request.messageId), "digest": .string(request.person.hexadecimal), "state": .string(state),
            "attempts": .number(request.attempts), "answer": .string(request.answer), "at": .time(request.at),
            "endedAt": .time(request.endedAt), "dueAt": request.endedAt == nil ? .time(request.dueAt) : .null,
        ]
    }
}
