import HTTPTypes
import Hummingbird
import TributaryJSON

/// The endpoints that clients send to, with and without the `/v1` prefix.
struct IngestRoutes: Sendable {
    let sources: SourceRegistry
    let writer: BatchWriter
    let environment: WorkspaceEnvironment

    func add(to router: Router<BasicRequestContext>) {
        for prefix in ["", "v1/"] {
            for path in ["b", "batch", "import"] {
                router.post("\(prefix)\(path)") { request, _ in try await batch(request) }
            }
            router.post("\(prefix)traces") { request, _ in try await traces(request) }
            for type in EventType.allCases {
                for path in [type.rawValue, type.shortPath] {
                    router.post("\(prefix)\(path)") { request, _ in try await single(request, type) }
                }
            }
        }
    }

    private func batch(_ request: Request) async throws -> Response {
        let envelope = try IngestEnvelope.batch(try await IngestBody.read(request), itemsIn: "batch")
        return try await store(envelope, request, type: nil, shared: envelope.shared)
    }

    private func single(_ request: Request, _ type: EventType) async throws -> Response {
        let envelope = try IngestEnvelope.single(try await IngestBody.read(request))
        return try await store(envelope, request, type: type, shared: [])
    }

    private func store(
        _ envelope: IngestEnvelope, _ request: Request, type: EventType?, shared: [(key: String, value: JSONObject)]
    ) async throws -> Response {
        let source = try await source(request, envelope)
        let uploadedAt = request.headers[named: "X-Sent-At"].flatMap(ISO8601.milliseconds)
        let reader = EventReader(
            type: type, shared: shared, sentAt: uploadedAt ?? envelope.sentAt, sentAtIsFromUpload: uploadedAt != nil,
            receivedAt: environment.now(), makeMessageId: environment.makeMessageId)
        var batch = IncomingBatch(source: source, receivedAt: reader.receivedAt)
        for (index, item) in envelope.items.enumerated() {
            do throws(Rejection) {
                batch.events.append(try reader.read(item))
            } catch {
                let messageId = item["messageId"]?.stringValue.flatMap {
                    (1...Limits.messageIdLength).contains($0.count) ? $0 : nil
                }
                batch.rejected.append(
                    RejectedEvent(index: index, messageId: messageId, rejection: error, body: item.encoded()))
            }
        }
        let receipt = try await writer.append(batch)
        return answer(
            accepted: batch.events.count, duplicates: receipt.duplicates,
            rejected: batch.rejected.map { ($0.index, $0.rejection) })
    }

    private func traces(_ request: Request) async throws -> Response {
        let envelope = try IngestEnvelope.batch(try await IngestBody.read(request), itemsIn: "traces")
        var batch = IncomingBatch(source: try await source(request, envelope), receivedAt: environment.now())
        var rejected: [(Int, Rejection)] = []
        for (index, item) in envelope.items.enumerated() {
            do throws(Rejection) {
                batch.traces.append(try TraceReader.read(item))
            } catch {
                rejected.append((index, error))
            }
        }
        _ = try await writer.append(batch)
        return answer(accepted: batch.traces.count, duplicates: 0, rejected: rejected)
    }

    private func source(_ request: Request, _ envelope: IngestEnvelope) async throws -> Int64 {
        guard let key = WriteKey.of(request, body: envelope.writeKey) else {
            throw APIError(.unauthorized, "the request has no write key")
        }
        guard let source = await sources.source(key) else {
            throw APIError(.unauthorized, "the write key is not known here")
        }
        return source.id
    }

    /// 200 also when single events were refused: the others are stored, and the client has nothing to repeat.
    private func answer(accepted: Int, duplicates: Int, rejected: [(index: Int, rejection: Rejection)]) -> Response {
        Response.json([
            "success": true,
            "accepted": .number(JSONNumber(accepted)),
            "duplicates": .number(JSONNumber(duplicates)),
            "rejected": .array(
                rejected.map { index, rejection in
                    [
                        "index": .number(JSONNumber(index)),
                        "code": .string(rejection.code.rawValue),
                        "reason": .string(rejection.reason),
                    ]
                }),
        ])
    }
}
