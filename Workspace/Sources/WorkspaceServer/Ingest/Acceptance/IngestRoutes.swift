import HTTPTypes
import Hummingbird
import TributaryJSON

/// The endpoints that clients send to, with and without the `/v1` prefix.
///
/// Grammar, limits and the write key are checked before the acknowledgement; what single events say is looked at after
/// it, by the indexer, so that one bad event does not cost its batch.
struct IngestRoutes: Sendable {
    let sources: SourceRegistry
    let journal: IngestJournal
    let environment: WorkspaceEnvironment
    let metrics: ServerMetrics

    func add(to router: Router<BasicRequestContext>) {
        for prefix in ["", "v1/"] {
            for path in ["b", "batch", "import"] {
                router.post("\(prefix)\(path)") { request, _ in try await accept(request, .batch) }
            }
            router.post("\(prefix)signals") { request, _ in try await accept(request, .signals) }
            // Where clients send signals whose host ends with a path of its own.
            router.post("signals/\(prefix)b") { request, _ in try await accept(request, .batch) }
            router.post("\(prefix)traces") { request, _ in try await accept(request, .traces) }
            for type in EventType.allCases {
                for path in [type.rawValue, type.shortPath] {
                    router.post("\(prefix)\(path)") { request, _ in try await accept(request, .single(type)) }
                }
            }
        }
    }

    /// The answer says that the request is on the disk, nothing more.
    private func accept(_ request: Request, _ form: RequestForm) async throws -> Response {
        let body = try await IngestBody(request)
        let (writeKey, hasItems) = try check(body, form)
        let source = try await source(request, writeKey)
        guard hasItems else { return Response.json(Self.success) }
        try await journal.append(
            AcceptedRequest(
                form: form, isCompressed: body.isCompressed, source: source, receivedAt: environment.now(),
                uploadedAt: request.headers[named: "X-Sent-At"].flatMap(ISO8601.milliseconds), body: body.raw))
        metrics.acknowledged(bytes: body.raw.count)
        return Response.json(Self.success)
    }

    private static let success = [UInt8](#"{"success":true}"#.utf8)

    private func check(_ body: IngestBody, _ form: RequestForm) throws(APIError) -> (writeKey: String?, hasItems: Bool)
    {
        let plain = try IngestBody.plain(body.raw, isCompressed: body.isCompressed)
        return try plain.withUnsafeBufferPointer { bytes throws(APIError) in
            let scan = try RequestScan(bytes, form)
            guard scan.hasItems else { throw .badRequest("\(form.itemsKey ?? "") must be an array") }
            guard scan.items.count <= Limits.eventsInBatch else {
                throw .badRequest(
                    "\(form.itemsKey ?? "") has \(scan.items.count) elements, "
                        + "at most \(Limits.eventsInBatch) are taken at once")
            }
            return (scan.writeKey, !scan.items.isEmpty)
        }
    }

    private func source(_ request: Request, _ writeKey: String?) async throws -> Int64 {
        guard let key = WriteKey.of(request, body: writeKey) else {
            throw APIError(.unauthorized, "the request has no write key")
        }
        guard let source = await sources.source(key) else {
            throw APIError(.unauthorized, "the write key is not known here")
        }
        return source.id
    }
}
