import HTTPTypes
import Hummingbird
import ServiceLifecycle
import WorkspaceCore

/// Server-Sent Events with each event when it is stored.
struct StreamRoutes: Sendable {
    let store: Store
    let broadcaster: Broadcaster
    let access: AdminAccess
    let seen: SeenStream

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/stream") { request, _ in try await stream(request) }
    }

    private func stream(_ request: Request) async throws -> Response {
        let position = try position(request)
        let holder = SharedSlots.Holder.current
        if let refusal = await broadcaster.refusal(of: holder) { throw refusal.error("listeners") }
        let headers: HTTPFields = [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"]
        let body = ResponseBody { writer in
            // The listener is added when the answer is written. Before, an answer that is never written would leave its
            // listener behind.
            let subscription = try await broadcaster.subscribe(holder)
            let result: Result<Void, any Error>
            do {
                // A token that was revoked before the listener was registered did not end this stream.
                if let token = holder.token, await !access.isValid(token: token) {
                    await broadcaster.cutOff(token: token)
                }
                result = .success(try await send(subscription, after: position, of: holder.token, to: &writer))
            } catch {
                result = .failure(error)
            }
            await broadcaster.unsubscribe(subscription.id)
            try result.get()
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// Earlier events come from the database, new ones from the feed; the sequence separates them.
    private func send(
        _ subscription: Broadcaster.Subscription, after position: Int64?, of token: String?,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        let end = try await store.lastSequence()
        try await writer.write(StreamMessage.greeting.bytes)
        try await writer.write(StreamMessage(try await store.statistics(writeKey: nil)).bytes)
        var position = position ?? end
        while position < end, !Task.isShuttingDownGracefully {
            let missed = try await store.messages(after: position, through: end)
            guard let last = missed.last?.sequence else { break }
            for message in missed {
                if let message = try await seen.seen(message) { try await writer.write(message.bytes) }
            }
            position = last
        }
        position = max(position, end)
        for await message in subscription.messages.cancelOnGracefulShutdown() {
            if let sequence = message.sequence {
                guard sequence > position else { continue }
                position = sequence
            } else if let token, await !access.isValid(token: token) {
                // Heartbeats come in any case, so the end of a token ends its streams soon.
                return
            }
            if let message = try await seen.seen(message) { try await writer.write(message.bytes) }
        }
    }

    /// The last event that a browser has got. Clients that cannot set the header use the query.
    private func position(_ request: Request) throws(Refusal) -> Int64? {
        guard let text = request.headers[named: "Last-Event-ID"] ?? QueryReader(request).text("lastEventId") else {
            return nil
        }
        guard let position = Int64(text), position >= 0 else { throw .invalid("Last-Event-ID must be a sequence") }
        return position
    }
}
