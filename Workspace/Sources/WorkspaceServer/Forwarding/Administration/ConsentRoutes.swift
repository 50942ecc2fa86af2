import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Shows for the events of one person, or for one event, which destinations got them and why.
struct ConsentRoutes: Sendable {
    let proof: ConsentProof
    let readYourWrites: ReadYourWrites

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/consent") { request, _ in
            await readYourWrites.wait()
            let reader = QueryReader(request)
            if let messageId = reader.text("messageId") { return try await one(messageId) }
            guard reader.text("userId") != nil || reader.text("anonymousId") != nil else {
                throw Refusal.invalid("name a userId, an anonymousId or a messageId")
            }
            var query = try reader.eventQuery(matching: [.userId, .anonymousId, .writeKey])
            query.order = .descending
            query.limit = min(query.limit, Limits.proofEvents)
            let page = try await proof.store.events(query)
            return Response.json(["events": .array(try await proof.events(page.rows)), "next": .number(page.next)])
        }
    }

    private func one(_ messageId: String) async throws -> Response {
        guard let event = try await proof.store.event(messageId: messageId) else {
            throw Refusal.notFound("there is no event with the messageId \(messageId)")
        }
        return Response.json(["events": .array(try await proof.events([event])), "next": .null])
    }
}
