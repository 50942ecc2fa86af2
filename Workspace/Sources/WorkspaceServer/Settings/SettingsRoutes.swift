import HTTPTypes
import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes for clients: settings and live plugin bundles, with and without the `/v1` prefix.
struct SettingsRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let origin: RequestOrigin
    let now: @Sendable () -> Int64

    func add(to router: Router<WorkspaceContext>) {
        for prefix in ["", "v1/"] {
            router.get("\(prefix)projects/:writeKey/settings") { request, context in
                try await settings(request, context)
            }
            router.get("\(prefix)projects/:writeKey/live-plugins/:file") { request, context in
                try await bundle(
                    request, context.pathParameter("writeKey"), context.pathParameter("file"))
            }
        }
    }

    private func settings(_ request: Request, _ context: WorkspaceContext) async throws -> Response {
        let writeKey = try context.pathParameter("writeKey")
        guard let source = await sources.source(ofClientWith: writeKey) else {
            var error = Refusal.unknownSource(writeKey)
            error.refusedKey = writeKey
            throw error
        }
        let attention = Attention(to: source, now: now())
        let document = SettingsDocument(
            source: source, key: writeKey, device: QueryReader(request).text("device"),
            origin: origin.of(request, context), attention: attention)
        let bytes = document.json.encoded()
        let tag = EntityTag(of: bytes)
        var headers = origin.caching(seconds: attention.cacheSeconds)
        headers[.eTag] = tag.text
        if tag.matches(request.headers[.ifNoneMatch]) { return Response(status: .notModified, headers: headers) }
        return Response.json(bytes, headers: headers)
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
