import Crypto
import Foundation
import GRDB
import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes that order traces of the events of a user or a device. Devices learn of an order in the answer to a batch
/// with such events.
struct TraceOrderRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let book: TraceOrderBook
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/sources/:writeKey/traces") { _, context in
            list(try await sources.known(context.pathParameter("writeKey")))
        }
        router.put("api/sources/:writeKey/traces") { request, context in
            try await order(request, sources.known(context.pathParameter("writeKey")))
        }
        router.delete("api/sources/:writeKey/traces") { request, context in
            try await end(request, sources.known(context.pathParameter("writeKey")))
        }
    }

    private func list(_ source: Source) -> Response {
        Response.json(["orders": .array(book.open(of: source.id, at: now()).map(\.summary))])
    }

    private func order(_ request: Request, _ source: Source) async throws -> Response {
        let body = try await AdministrationBody.json(request)
        let members = ["userId", "anonymousId", "seconds"]
        guard let object = body.objectValue, object.allSatisfy({ members.contains($0.key) }) else {
            throw Refusal.invalid("the body is an object with a userId or an anonymousId, and seconds")
        }
        let subject = try TraceSubject(
            userId: body["userId"]?.stringValue, anonymousId: body["anonymousId"]?.stringValue)
        guard let seconds = body["seconds"]?.intValue, (1...Limits.traceOrderSeconds).contains(seconds) else {
            throw Refusal.invalid("seconds is a number from 1 to \(Limits.traceOrderSeconds)")
        }
        let now = now()
        let order = TraceOrder(subject: subject, until: now + Int64(seconds) * 1000)
        try book.place(order, of: source.id, at: now)
        do {
            try await log(.tracingOrdered, subject, ["seconds": .number(seconds)], source)
        } catch {
            // An order without an entry in the audit log must not run.
            book.end(subject, of: source.id)
            throw error
        }
        return Response.json(order.summary)
    }

    private func end(_ request: Request, _ source: Source) async throws -> Response {
        let query = QueryReader(request)
        let subject = try TraceSubject(userId: query.text("userId"), anonymousId: query.text("anonymousId"))
        book.end(subject, of: source.id)
        try await log(.tracingEnded, subject, [:], source)
        return list(source)
    }

    /// The log has a digest of the id, because it is kept when the user is erased.
    private func log(
        _ action: AuditEntry.Action, _ subject: TraceSubject, _ more: JSONObject, _ source: Source
    ) async throws {
        var details = more
        details[subject.member + "SHA256"] = .string(SHA256.hash(data: Data(subject.id.utf8)).hexadecimal)
        let entry = AuditEntry(action: action, writeKey: source.writeKey, details: details)
        let (administrator, now) = (Administrator.current, now())
        try await store.change { db in try Store.log(db, entry, by: administrator, now: now) }
    }
}
