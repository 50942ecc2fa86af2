import HTTPTypes
import Hummingbird
import TributaryJSON

/// Lets tests of apps begin with nothing.
struct ResetRoutes: Sendable {
    let store: Store
    let readYourWrites: ReadYourWrites
    let isAllowed: Bool
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.delete("api/sources/:writeKey/events") { _, context in
            guard isAllowed else {
                throw APIError(.forbidden, "events can be deleted only when the workspace runs with --allow-reset")
            }
            // What was acknowledged before goes as well, so it has to be stored first.
            guard await readYourWrites.isCaughtUp(within: readYourWrites.patience) else {
                throw APIError(.serviceUnavailable, "events still wait to be stored; try again")
            }
            let writeKey = try context.pathParameter("writeKey")
            guard let count = try await store.deleteEvents(writeKey: writeKey, now: now()) else {
                throw APIError.unknownSource(writeKey)
            }
            return Response.json(["deleted": .number(JSONNumber(count))])
        }
    }
}
