import Hummingbird
import TributaryJSON

/// Lets operators erase a user.
struct ErasureRoutes: Sendable {
    let runs: DeletionRuns<Erased>
    let store: Store
    var patience = Limits.erasureAnswer

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.delete("api/users/:userId") { _, context in
            let userId = try context.pathParameter("userId")
            guard !userId.isEmpty, userId.utf8.count <= Limits.identifierLength else {
                throw APIError.badRequest("a user id has 1 to \(Limits.identifierLength) bytes")
            }
            switch try await runs.delete(userId, by: Administrator.current, within: patience) {
            case .finished(let erased):
                var answer = erased.json
                answer["unreadableFiles"] = .number(JSONNumber(try store.folder.unreadableFiles().count))
                return Response.json(.object(answer))
            case .running(let progress):
                return Response.json(progress.json, status: .accepted)
            }
        }
    }
}

extension ErasureProgress {
    /// The answer to a request that waited long enough.
    var json: JSON {
        [
            "days": .number(JSONNumber(days)), "daysDone": .number(JSONNumber(daysDone)),
            "eventsDone": .number(JSONNumber(erased.events)),
        ]
    }
}
