import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Sends events that were held because they say nothing about consent.
struct HeldRoutes: Sendable {
    let access: DestinationAccess

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.post("api/sources/:writeKey/destinations/:name/held/release") { _, context in
            let (source, destination) = try await access.destination(context)
            guard destination.kind.takesLate else {
                throw Refusal(
                    .conflict,
                    "objects are written once; to have the held events as well, make the destination anew with another "
                        + "prefix, from the start")
            }
            guard source.policy.consent.unsaid == .forward else {
                throw Refusal(
                    .conflict,
                    "the source still holds events that say nothing about consent; set consent.unsaid of its policy to "
                        + "forward first")
            }
            let events = ForwardableEvents(
                store: access.store, sources: access.sources, writeKey: source.writeKey, source: source.id,
                destination: destination.name, categories: destination.categories, logger: access.logger)
            let held = try await events.held(of: destination)
            try await access.store.release(held, of: destination, writeKey: source.writeKey, now: access.now())
            await access.supervisor.retry(held.events, of: destination.id)
            return Response.json(["released": .number(held.events.count), "more": .bool(held.next != nil)])
        }
    }
}
