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
            let waiting = await readYourWrites.wait()
            let reader = QueryReader(request)
            var query = try reader.eventQuery(matching: EventQuery.Match.Column.ofEvents)
            query.conditions = try reader.conditions()
            guard query.isScan else { return answer(try await store.events(query), as: "events", waiting) }
            return try await request.whileClientStays { [query] in
                answer(try await scans.take { try await store.events(query, scans: scans) }, as: "events", waiting)
            }
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
            let waiting = await readYourWrites.wait()
            let query = try QueryReader(request).eventQuery(matching: [.writeKey])
            return answer(try await store.drops(query), as: "drops", waiting)
        }
        router.get("api/signals") { request, _ in
            let waiting = await readYourWrites.wait()
            let query = try QueryReader(request).eventQuery(
                matching: [.type, .writeKey], types: SignalType.allCases.map(\.rawValue))
            return answer(try await store.signals(query), as: "signals", waiting)
        }
        router.get("api/rejected") { request, _ in
            let waiting = await readYourWrites.wait()
            let query = try QueryReader(request).eventQuery(matching: [.writeKey])
            return answer(try await store.rejected(query), as: "rejected", waiting)
        }
        router.get("api/stats") { request, _ in
            await readYourWrites.wait()
            return Response.json(try await store.statistics(writeKey: QueryReader(request).text("writeKey")).json)
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
