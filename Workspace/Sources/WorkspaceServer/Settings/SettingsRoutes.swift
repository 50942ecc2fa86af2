import HTTPTypes
import Hummingbird
import ServiceLifecycle
import TributaryJSON
import WorkspaceCore

/// Routes for clients: settings and live plugin bundles, with and without the `/v1` prefix.
struct SettingsRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let origin: RequestOrigin
    let waits: SettingsWaits
    let now: @Sendable () -> Int64

    func add(to router: Router<WorkspaceContext>) {
        for prefix in ["", "v1/"] {
            router.get("\(prefix)projects/:writeKey/settings") { request, context in
                try await settings(request, context)
            }
            router.get("\(prefix)projects/:writeKey/live-plugins/log") { request, context in
                try await log(request, context.pathParameter("writeKey"))
            }
            router.get("\(prefix)projects/:writeKey/live-plugins/:file") { request, context in
                try await bundle(
                    request, context.pathParameter("writeKey"), context.pathParameter("file"))
            }
        }
    }

    /// The settings of a source as they are now.
    private struct Current {
        let source: Int64
        var bytes: [UInt8]
        let tag: EntityTag
        let cacheSeconds: Int
        /// The changes of sources before it was read.
        let changes: Int
    }

    /// Answers at once, or holds the request while the client has these settings, if the client asks for it.
    private func settings(_ request: Request, _ context: WorkspaceContext) async throws -> Response {
        let reader = QueryReader(request)
        let wait = try reader.number("wait") ?? 0
        let deadline = SettingsWaits.now + min(wait, Int64(waits.seconds)) * 1_000_000_000
        let known = request.headers[.ifNoneMatch]
        var current = try await current(request, context, reader)
        if wait > 0, waits.seconds > 0 {
            // A stop of the server ends the wait, so the stop is not delayed.
            try await withGracefulShutdownHandler {
                var ending = SettingsWaits.Ending.changed
                while current.tag.matches(known), ending == .changed {
                    // The text is made again when it is needed: many requests may wait for long.
                    current.bytes = []
                    ending = await waits.wait(for: current.source, after: current.changes, until: deadline)
                    // Settings also change with the time, as at the end of a stop.
                    if ending != .full { current = try await self.current(request, context, reader) }
                }
            } onGracefulShutdown: {
                waits.close()
            }
        }
        var headers = origin.caching(seconds: current.cacheSeconds)
        headers[.eTag] = current.tag.text
        if current.tag.matches(known) { return Response(status: .notModified, headers: headers) }
        return Response.json(current.bytes, headers: headers)
    }

    private func current(
        _ request: Request, _ context: WorkspaceContext, _ reader: QueryReader
    ) async throws -> Current {
        let changes = waits.changes
        let writeKey = try context.pathParameter("writeKey")
        guard let source = await sources.source(ofClientWith: writeKey) else {
            var error = Refusal.unknownSource(writeKey)
            error.refusedKey = writeKey
            throw error
        }
        let now = now()
        let attention = Attention(to: source, now: now)
        let document = SettingsDocument(
            source: source, key: writeKey, device: reader.text("device"),
            origin: origin.of(request, context), attention: attention, pushSeconds: waits.seconds, now: now)
        let bytes = document.json.encoded()
        return Current(
            source: source.id, bytes: bytes, tag: EntityTag(of: bytes), cacheSeconds: attention.cacheSeconds,
            changes: changes)
    }

    /// The log of deployments: all of it for auditors, or a proof for devices that it grew from one size to another.
    private func log(_ request: Request, _ writeKey: String) async throws -> Response {
        guard let source = await sources.source(ofClientThatHad: writeKey) else {
            throw Refusal.unknownSource(writeKey)
        }
        let query = QueryReader(request)
        guard let from = try query.number("from").map({ Int(clamping: $0) }) else {
            let entries = try await store.bundleLog(source: source.id)
            let log = try Self.whole(BundleLog(entries))
            return Response.json([
                "size": .number(log.size), "root": .string(log.root()), "entries": .array(entries.map(\.json)),
            ])
        }
        // Many devices ask for the same proof after a deployment, so it is made of what is in memory.
        let log = try Self.whole(source.bundleLog)
        let to = try query.number("to").map { Int(clamping: $0) } ?? log.size
        return Response.json([
            "from": .number(from), "to": .number(to), "proof": .strings(try log.consistency(from: from, to: to)),
        ])
    }

    private static func whole(_ log: BundleLog?) throws(Refusal) -> BundleLog {
        guard let log else { throw Refusal(.conflict, "versions are missing in this log, so it proves nothing") }
        return log
    }

    private func bundle(_ request: Request, _ writeKey: String, _ file: String) async throws -> Response {
        // The address of a bundle stays valid, also when its key was revoked.
        guard let source = await sources.source(ofClientThatHad: writeKey) else {
            throw Refusal.unknownSource(writeKey)
        }
        guard file.hasSuffix(".js"), let version = Int64(file.dropLast(3)),
            let (text, sha256) = try await store.bundleText(source: source.id, version: version)
        else { throw Refusal.notFound("the source \(writeKey) has no live plugins \(file)") }
        let tag = EntityTag(value: sha256)
        let headers: HTTPFields = [
            .contentType: "text/javascript; charset=utf-8",
            .cacheControl: "public, max-age=31536000, immutable",
            .eTag: tag.text,
        ]
        if tag.matches(request.headers[.ifNoneMatch]) { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: text)))
    }
}
