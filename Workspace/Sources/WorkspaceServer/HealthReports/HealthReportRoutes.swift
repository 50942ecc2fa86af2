import HTTPTypes
import Hummingbird
import TributaryJSON

/// The route that devices send health reports to.
struct HealthReportRoutes: Sendable {
    let sources: SourceRegistry
    let inbox: HealthInbox
    let quotas: QuotaLedger
    let now: @Sendable () -> Int64
    let bodyMemory: BodyMemory

    func add(to router: Router<WorkspaceContext>) {
        for prefix in ["", "v1/"] {
            router.post("\(prefix)health-reports") { request, _ in try await take(request) }
        }
    }

    private func take(_ request: Request) async throws -> Response {
        let body: [UInt8]
        do {
            // A report is short, so its memory is not held beyond this.
            (body, _) = try await KeyedBody(sources: sources, memory: bodyMemory)
                .read(request, limit: DeviceReport.bytes, isCompressed: false)
        } catch is BodyReading.TooLarge {
            throw Refusal.invalid("a health report has at most \(DeviceReport.bytes) bytes")
        }
        let report = try DeviceReport(body)
        guard let key = WriteKey.of(request, body: report.writeKey) else {
            throw Refusal(.unauthorized, "the request has no write key")
        }
        guard let source = await sources.source(ofClientWith: key) else {
            throw WriteKey.unknown(key)
        }
        try quotas.take(0, of: source.id, within: source.policy.quota)
        try await inbox.store(report, of: source, receivedAt: now())
        return Response.json(["success": true])
    }
}
