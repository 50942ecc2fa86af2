import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// Server-Sent Events: everything that is stored, as it is stored.
struct StreamRoutes: Sendable {
    let store: Store
    let broadcaster: Broadcaster

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/stream") { request, _ in try await stream(request) }
    }

    private func stream(_ request: Request) async throws -> Response {
        let position = try position(request)
        guard await !broadcaster.isFull else {
            throw APIError.overloaded("\(Limits.streamListeners) listeners are connected, which is the most")
        }
        let headers: HTTPFields = [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"]
        let body = ResponseBody { writer in
            // Not before the answer is written: an answer that never is would leave its listener behind.
            let subscription = await broadcaster.subscribe()
            let result: Result<Void, any Error>
            do {
                result = .success(try await send(subscription, after: position, to: &writer))
            } catch {
                result = .failure(error)
            }
            await broadcaster.unsubscribe(subscription.id)
            try result.get()
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// What the listener missed comes from the database, the rest as it happens; the sequence keeps both apart.
    private func send(
        _ subscription: Broadcaster.Subscription, after position: Int64?, to writer: inout any ResponseBodyWriter
    ) async throws {
        let end = try await store.lastSequence()
        try await writer.write(StreamMessage.greeting.bytes)
        try await writer.write(StreamMessage(try await store.statistics(writeKey: nil)).bytes)
        var position = position ?? end
        while position < end, !Task.isShuttingDownGracefully {
            let missed = try await store.messages(after: position, through: end)
            guard let last = missed.last?.sequence else { break }
            for message in missed { try await writer.write(message.bytes) }
            position = last
        }
        position = max(position, end)
        for await message in subscription.messages.cancelOnGracefulShutdown() {
            if let sequence = message.sequence {
                guard sequence > position else { continue }
                position = sequence
            }
            try await writer.write(message.bytes)
        }
    }

    /// Where a browser left off; the query serves clients that cannot set the header.
    private func position(_ request: Request) throws(APIError) -> Int64? {
        guard let text = request.headers[named: "Last-Event-ID"] ?? QueryReader(request).text("lastEventId") else {
            return nil
        }
        guard let position = Int64(text), position >= 0 else { throw .badRequest("Last-Event-ID must be a sequence") }
        return position
    }
}
