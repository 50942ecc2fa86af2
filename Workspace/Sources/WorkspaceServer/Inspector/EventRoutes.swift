import HTTPTypes
import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes for stored, dropped and rejected events, and the figures about them.
struct EventRoutes: Sendable {
    let store: Store
    let readYourWrites: ReadYourWrites
    let scans: Scans

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/events") { request, _ in
            let query = try QueryReader(request).eventQuery(matching: EventQuery.Match.Column.ofEvents)
            return try await list(.events, query, request, as: "events")
        }
        router.get("api/events/:messageId") { _, context in
            await readYourWrites.wait()
            let messageId = try context.pathParameter("messageId")
            guard let event = try await store.event(messageId: messageId) else {
                throw Refusal.notFound("there is no event with the messageId \(messageId)")
            }
            return Response.json(event)
        }
        router.get("api/drops") { request, _ in
            let query = try QueryReader(request).eventQuery(matching: [.writeKey])
            return try await list(.drops, query, request, as: "drops")
        }
        router.get("api/signals") { request, _ in
            let query = try QueryReader(request).eventQuery(
                matching: [.type, .writeKey], types: SignalType.allCases.map(\.rawValue))
            return try await list(.signals, query, request, as: "signals")
        }
        router.get("api/rejected") { request, _ in
            let query = try QueryReader(request).eventQuery(matching: [.writeKey])
            return try await list(.rejected, query, request, as: "rejected")
        }
        router.get("api/stats") { request, _ in
            await readYourWrites.wait()
            return Response.json(try await store.statistics(writeKey: QueryReader(request).text("writeKey")).json)
        }
    }

    /// A page of a list, with the conditions of the request.
    private func list(
        _ list: RowQuery.List, _ query: EventQuery, _ request: Request, as name: String
    ) async throws -> Response {
        var query = query
        query.conditions = try QueryReader(request).conditions()
        try await store.checkSight(of: query.conditions.map(\.path))
        let waiting = await readYourWrites.wait()
        guard query.isScan else { return answer(try await store.page(list, query), as: name, waiting) }
        return try await request.whileClientStays { [query] in
            answer(try await scans.take { try await store.page(list, query, scans: scans) }, as: name, waiting)
        }
    }

    /// - Parameter waiting: requests that were acknowledged before and are not stored yet.
    private func answer(_ page: ListPage, as name: String, _ waiting: Int) -> Response {
        var object = ObjectText()
        object.add(name, objects: page.rows)
        object.add("next", page.next)
        if let search = page.search { object.add("search", search.json) }
        if waiting > 0 { object.add("waitingRequests", Int64(waiting)) }
        return Response.json(object.finished())
    }
}

extension ListPage.Search {
    fileprivate var json: JSON { ["lookedAt": .number(looked), "left": .number(left)] }
}
