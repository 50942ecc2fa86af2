import HTTPTypes
import Hummingbird
import TributaryJSON
import WorkspaceCore

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
        let keyed = KeyedBody(sources: sources, memory: bodyMemory)
        let body: [UInt8]
        do {
            // A report is short, so its memory is not held beyond this.
            (body, _) = try await keyed.read(request, limit: DeviceReport.bytes, isCompressed: false)
        } catch is BodyReading.TooLarge {
            throw Refusal.invalid("a health report has at most \(DeviceReport.bytes) bytes")
        }
        let report = try DeviceReport(body)
        let source = try await keyed.source(of: request, key: report.writeKey)
        try quotas.take(0, of: source.id, within: source.policy.quota)
        try await inbox.store(report, of: source, receivedAt: now())
        return Response.json(["success": true])
    }
}
