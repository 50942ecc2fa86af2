import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import TributaryJSON

/// Deploying live plugins and looking at what was deployed.
struct LivePluginRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store

    func add(to router: Router<BasicRequestContext>) {
        router.get("api/sources/:writeKey/live-plugins") { _, context in
            try await list(context.pathParameter("writeKey"))
        }
        router.put("api/sources/:writeKey/live-plugins") { request, context in
            try await deploy(request, context.pathParameter("writeKey"))
        }
    }

    private func list(_ writeKey: String) async throws -> Response {
        guard let source = await sources.source(writeKey) else { throw APIError.unknownSource(writeKey) }
        let versions = try await store.bundles(source: source.id)
        return Response.json([
            "current": versions.first.map { .number(JSONNumber($0.version)) } ?? .null,
            "versions": .array(versions.map(\.summary)),
        ])
    }

    private func deploy(_ request: Request, _ writeKey: String) async throws -> Response {
        let buffer = try await AdministrationBody.bytes(request, limit: Limits.bundleBytes)
        let text = Data(buffer.readableBytesView)
        guard !text.isEmpty else { throw APIError.badRequest("the bundle is empty") }
        guard String(validating: text, as: UTF8.self) != nil else {
            throw APIError.badRequest("the bundle is not UTF-8 text")
        }
        let source = try await sources.deploy(text, sha256: SHA256.hash(data: text).hexadecimal, to: writeKey)
        guard let bundle = source.bundle else { throw APIError.unknownSource(writeKey) }
        return Response.json([
            "version": .number(JSONNumber(bundle.version)),
            "sha256": .string(bundle.sha256),
            "bytes": .number(JSONNumber(bundle.bytes)),
        ])
    }
}
