import Hummingbird
import TributaryJSON

/// Lets operators erase a user.
struct ErasureRoutes: Sendable {
    let erasure: Erasure

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.delete("api/users/:userId") { _, context in
            let userId = try context.pathParameter("userId")
            guard !userId.isEmpty, userId.utf8.count <= Limits.identifierLength else {
                throw APIError.badRequest("a user id has 1 to \(Limits.identifierLength) bytes")
            }
            let outcome = try await erasure.erase(userId)
            var answer = outcome.erased.json
            answer["unreadableFiles"] = .number(JSONNumber(outcome.unreadable))
            return Response.json(.object(answer))
        }
    }
}
