import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Shows operators what live plugins and filters do on devices.
struct LiveHealthRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    /// Waits for the reports that were acknowledged before, and says which ones the sums have.
    var cover: @Sendable () async -> HealthCover = { HealthCover() }
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/live-plugins/health") { request, _ in try await health(QueryReader(request)) }
    }

    private func health(_ query: QueryReader) async throws -> Response {
        guard let writeKey = query.text("writeKey") else { throw Refusal.invalid("writeKey names the source") }
        let hours = try query.number("hours") ?? 24
        guard (1...Limits.healthHours).contains(hours) else {
            throw Refusal.invalid("hours is a number from 1 to \(Limits.healthHours)")
        }
        return Response.json(try await health(of: writeKey, hours: hours))
    }

    /// - Parameter hours: how many hours are added up.
    func health(of writeKey: String, hours: Int64) async throws -> JSON {
        let source = try await sources.known(writeKey)
        let cover = await cover()
        let now = now()
        let first = now / 3_600_000 - hours + 1
        let rows = try await store.healthHours(source: source.id, from: first)
        var rollouts: [RolloutKind: RolloutRecord] = [:]
        for kind in RolloutKind.allCases { rollouts[kind] = try await store.rollout(kind, of: source.id) }
        let apps = try await store.reportedApps(of: source.id, since: now - Limits.reportedAppMilliseconds)
        return LiveHealth(rows, source: source, rollouts: rollouts, apps: apps, cover: cover).json
    }
}
