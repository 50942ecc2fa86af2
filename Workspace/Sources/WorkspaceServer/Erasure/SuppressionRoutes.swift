import Crypto
import Foundation
import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Lets operators keep users and devices out of the workspace.
struct SuppressionRoutes: Sendable {
    let store: Store
    let book: SuppressionBook
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/suppressions") { request, _ in try await list(request) }
        router.put("api/suppressions") { request, _ in
            let (kind, id) = try Self.subject(request)
            let reason = try Self.reason(try await AdministrationBody.optionalJSON(request))
            let entry = try await store.suppress(kind, id, reason: reason, now: now())
            try await book.load(from: store)
            return Response.json(.object(entry.json))
        }
        router.delete("api/suppressions") { request, _ in
            let (kind, id) = try Self.subject(request)
            let count = try await store.endSuppression(kind, id, now: now())
            guard count > 0 else { throw Refusal.notFound("this \(kind.rawValue) is not suppressed") }
            try await book.load(from: store)
            return Response.json(["removed": .number(count)])
        }
    }

    private func list(_ request: Request) async throws -> Response {
        let query = QueryReader(request)
        if let id = query.text("userId") { return answer(try await store.suppression(.user, id)) }
        if let id = query.text("anonymousId") { return answer(try await store.suppression(.device, id)) }
        let limit = try query.limit()
        let after = query.text("after") ?? ""
        guard let bytes = Data(hexadecimal: after) else {
            throw Refusal.invalid("after is the digest of an entry")
        }
        let entries = try await store.suppressions(after: bytes, limit: limit + 1)
        let shown = entries.prefix(limit)
        let next = entries.count > shown.count ? shown.last?.digest.hexadecimal : nil
        return answer(Array(shown), next: next)
    }

    /// The list with the entry of one id, which may have none.
    private func answer(_ entry: Suppression?) -> Response { answer(entry.map { [$0] } ?? [], next: nil) }

    private func answer(_ entries: [Suppression], next: String?) -> Response {
        Response.json([
            "suppressions": .array(entries.map { .object($0.json) }), "next": .string(next),
            "refused": .number(book.refused),
        ])
    }

    /// The user or the device that a request names. The id is no part of the path, where `..` would be a folder.
    private static func subject(_ request: Request) throws -> (SuppressionList.Kind, String) {
        let query = QueryReader(request)
        let subject: (SuppressionList.Kind, String)
        switch (query.text("userId"), query.text("anonymousId")) {
        case (let id?, nil): subject = (.user, id)
        case (nil, let id?): subject = (.device, id)
        default: throw Refusal.invalid("name a userId or an anonymousId, and not both")
        }
        guard !subject.1.isBlank, subject.1.utf8.count <= Limits.identifierLength else {
            throw Refusal.invalid("an id has 1 to \(Limits.identifierLength) bytes, not only white space")
        }
        return subject
    }

    static func reason(_ body: JSON?) throws(Refusal) -> String {
        guard let body else { return "" }
        guard let object = body.objectValue, object.allSatisfy({ $0.key == "reason" }) else {
            throw .invalid("the body is empty, or an object with a reason")
        }
        return try checked(try object.member("reason", "reason is a text", \.stringValue) ?? "")
    }

    static func checked(_ reason: String) throws(Refusal) -> String {
        guard reason.count <= Limits.reasonLength, PlainName.isPlain(reason) else {
            throw .invalid("a reason has at most \(Limits.reasonLength) characters, \(PlainName.rule)")
        }
        return reason
    }
}

extension Suppression {
    /// The entry as the administration shows it.
    var json: JSONObject {
        [
            "digest": .string(digest.hexadecimal), "kind": .string(kind.rawValue),
            "suppressed": .bool(mark.isSuppressed),
            "erasedThrough": mark.erasedThrough > 0
                ? .time(mark.erasedThrough) : .null,
            "reason": .string(reason), "by": .string(administrator), "at": .time(at),
        ]
    }
}
