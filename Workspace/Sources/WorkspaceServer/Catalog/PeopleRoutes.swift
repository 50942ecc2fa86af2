import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Counts people by the events that they did. Nothing is prepared for it, so the answers report their progress.
struct PeopleRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let readYourWrites: ReadYourWrites
    let scans: Scans
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/funnel") { request, _ in
            let reader = QueryReader(request)
            return try await answer(request, reader, limit: try reader.listedValues()) {
                Funnel(try reader.funnel(now: now()))
            }
        }
        router.get("api/retention") { request, _ in
            let reader = QueryReader(request)
            return try await answer(request, reader, limit: 0) { PeopleRetention(try reader.retention(now: now())) }
        }
    }

    /// - Parameter limit: how many values are listed.
    private func answer(
        _ request: Request, _ reader: QueryReader, limit: Int, _ count: () throws -> some PeopleCount
    ) async throws -> Response {
        guard let writeKey = reader.text("writeKey") else { throw Refusal.invalid("writeKey names the source") }
        let source = try await sources.known(writeKey)
        let count = try count()
        guard let storage = store.storage.people else {
            throw Refusal(.unsupported, "a cluster does not count people yet; a workspace on one machine does")
        }
        try scans.checkRoom()
        await readYourWrites.wait()
        let scan = PeopleScan(count, source: source.id, storage: storage, scans: scans)
        return SteppingAnswer(scans: scans, limit: limit).response(request, scan)
    }
}

extension QueryReader {
    fileprivate func funnel(now: Int64) throws(Refusal) -> Funnel.Question {
        let texts = texts("step")
        // Counted before they are read, because each one may be long.
        guard texts.count <= Limits.funnelSteps.upperBound else {
            throw .invalid("a funnel has at most \(Limits.funnelSteps.upperBound) steps")
        }
        var steps: [FunnelStep] = []
        for text in texts { steps.append(try FunnelStep(text)) }
        let path: JSONPath? = if let property = text("property") { try JSONPath(property) } else { nil }
        return try Funnel.Question(
            steps: steps, window: try number("window") ?? Limits.funnelWindowSeconds, days: try wholeDays(now: now),
            path: path)
    }

    fileprivate func retention(now: Int64) throws(Refusal) -> PeopleRetention.Question {
        guard let first = text("first") else {
            throw .invalid("first names the event that people do first, as a step of a funnel does")
        }
        let name = text("by") ?? PeopleRetention.Period.day.rawValue
        guard let period = PeopleRetention.Period(rawValue: name) else { throw .invalid("by is day or week") }
        return PeopleRetention.Question(
            first: try FunnelStep(first), returning: try FunnelStep(text("returning") ?? first), period: period,
            days: try wholeDays(now: now))
    }
}
