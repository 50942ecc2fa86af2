import Hummingbird
package import TributaryJSON
import WorkspaceCore

/// Lets operators erase a user.
struct ErasureRoutes: Sendable {
    let runs: DeletionRuns<Erased>
    let store: Store
    let suppressions: SuppressionBook
    let now: @Sendable () -> Int64
    var patience = Limits.erasureAnswer

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.delete("api/users/:userId") { request, context in
            try await erase(try context.pathParameter("userId"), QueryReader(request))
        }
        // An id such as `..` cannot be part of an address.
        router.delete("api/users") { request, _ in
            let query = QueryReader(request)
            guard let userId = query.text("userId") else { throw Refusal.invalid("userId is missing") }
            return try await erase(userId, query)
        }
    }

    private func erase(_ userId: String, _ query: QueryReader) async throws -> Response {
        guard !userId.isEmpty, userId.utf8.count <= Limits.identifierLength else {
            throw Refusal.invalid("a user id has 1 to \(Limits.identifierLength) bytes")
        }
        try await suppress(userId, query)
        switch try await runs.delete(userId, by: Administrator.current, within: patience) {
        case .finished(let erased):
            var answer = erased.json
            for (name, value) in erased.views { answer[name] = value }
            answer["unreadableFiles"] = .number(try store.folder.unreadableFiles().count)
            return Response.json(.object(answer))
        case .running(let progress):
            return Response.json(progress.json, status: .accepted)
        }
    }

    /// Suppresses the user first when the request asks for it. The erasure sees that, and suppresses the user's devices, too.
    private func suppress(_ userId: String, _ query: QueryReader) async throws {
        guard let asked = query.text("suppress") else { return }
        guard let isSuppressed = Bool(asked) else { throw Refusal.invalid("suppress is true or false") }
        guard isSuppressed else { return }
        let reason = try SuppressionRoutes.checked(query.text("reason") ?? "")
        _ = try await store.suppress(.user, userId, reason: reason, now: now())
        try await suppressions.load(from: store)
    }
}

extension ErasureProgress {
    /// The answer to a request that waited long enough.
    package var json: JSON {
        ["days": .number(days), "daysDone": .number(daysDone), "eventsDone": .number(erased.events)]
    }
}
