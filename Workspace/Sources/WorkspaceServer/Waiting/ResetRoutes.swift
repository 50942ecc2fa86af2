import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Deletes the events of a source, so that a test of an app begins without any.
struct ResetRoutes: Sendable {
    let store: Store
    let readYourWrites: ReadYourWrites
    let isAllowed: Bool
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.delete("api/sources/:writeKey/events") { _, context in
            guard isAllowed else {
                throw Refusal(.forbidden, "events can be deleted only when the workspace runs with --allow-reset")
            }
            // Requests that were acknowledged before are deleted too, so the server stores them first.
            guard await readYourWrites.isCaughtUp(within: readYourWrites.patience) else {
                throw Refusal(.unavailable, "events still wait to be stored; try again")
            }
            let writeKey = try context.pathParameter("writeKey")
            guard let count = try await store.deleteEvents(writeKey: writeKey, now: now()) else {
                throw Refusal.unknownSource(writeKey)
            }
            return Response.json(["deleted": .number(count)])
        }
    }
}
