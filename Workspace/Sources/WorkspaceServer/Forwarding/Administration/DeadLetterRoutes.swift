import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes for the dead letters of a destination: list them, send them again, delete them.
struct DeadLetterRoutes: Sendable {
    let access: DestinationAccess

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/sources/:writeKey/destinations/:name/dead-letters") { request, context in
            try await list(request, context)
        }
        router.post("api/sources/:writeKey/destinations/:name/dead-letters/retry") { request, context in
            let (source, destination) = try await access.destination(context)
            let sequences = try Self.sequences(try await AdministrationBody.optionalJSON(request))
            let letters = try await access.store.retryDeadLetters(
                of: destination, sequences, writeKey: source.writeKey, now: access.now())
            await access.supervisor.retry(letters, of: destination.id)
            return Response.json(["retried": .number(letters.count)])
        }
        router.delete("api/sources/:writeKey/destinations/:name/dead-letters") { _, context in
            let (source, destination) = try await access.destination(context)
            let count = try await access.store.discardDeadLetters(
                of: destination, writeKey: source.writeKey, now: access.now())
            return Response.json(["discarded": .number(count)])
        }
    }

    private func list(_ request: Request, _ context: WorkspaceContext) async throws -> Response {
        let query = QueryReader(request)
        let (limit, after) = (try query.limit(), try query.number("after") ?? 0)
        let destination = try await access.destination(context).destination
        let letters = try await access.store.deadLetters(of: destination.id, after: after, limit: limit + 1)
        let shown = letters.prefix(limit)
        let next = letters.count > shown.count ? shown.last?.sequence : nil
        return Response.json(["deadLetters": .array(shown.map(Self.json)), "next": .number(next)])
    }

    private static func sequences(_ body: JSON?) throws(Refusal) -> [Int64]? {
        guard let body else { return nil }
        let rule = "the body is empty, or an object with up to \(Limits.namedDeadLetters) sequences"
        guard let object = body.objectValue, object.allSatisfy({ $0.key == "sequences" }) else {
            throw .invalid(rule)
        }
        guard let list = object["sequences"] else { return nil }
        let sequences = list.elements?.compactMap { $0.numberValue?.int64 } ?? []
        guard let count = list.elements?.count, count == sequences.count, count <= Limits.namedDeadLetters else {
            throw .invalid(rule)
        }
        return sequences
    }

    private static func json(_ letter: Undelivered) -> JSON {
        [
            "sequence": .number(letter.sequence), "messageId": .string(letter.messageId),
            "reason": .string(letter.reason), "attempts": .number(letter.attempts), "since": .time(letter.since),
            "at": .time(letter.deadAt),
        ]
    }
}
