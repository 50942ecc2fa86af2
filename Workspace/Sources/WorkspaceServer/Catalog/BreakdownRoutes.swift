import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Counts events by the values of a member. These counts are not prepared, so the answer reports its progress, and a
/// client can leave when it has seen enough.
struct BreakdownRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let readYourWrites: ReadYourWrites
    let scans: Scans
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/breakdown") { request, _ in
            let reader = QueryReader(request)
            guard let writeKey = reader.text("writeKey") else { throw Refusal.invalid("writeKey names the source") }
            _ = try await sources.known(writeKey)
            let days = try reader.wholeDays(now: now())
            let limit = try reader.listedValues()
            let path = try reader.text("property").map { try JSONPath($0) }
            let breakdown = Breakdown(days: days, path: path, conditions: try reader.conditions())
            let query = try reader.eventQuery(matching: [.type, .name, .writeKey])
            let rows = try await store.rowQuery(query, .bodies)
            try scans.checkRoom()
            await readYourWrites.wait()
            let length = days.upperBound.number - days.lowerBound.number + 1
            let first = reader.text("compare") == "true" ? days.lowerBound.advanced(by: -length) : days.lowerBound
            let scan = try await BreakdownScan(
                breakdown, rows, days: first...days.upperBound, storage: store.storage, scans: scans)
            return SteppingAnswer(scans: scans, limit: limit).response(request, scan)
        }
    }
}
