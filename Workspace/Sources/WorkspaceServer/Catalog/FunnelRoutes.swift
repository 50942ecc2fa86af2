import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Counts the people who did some steps, one after the other. Nothing is prepared for it, so the answer reports its
/// progress.
struct FunnelRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let readYourWrites: ReadYourWrites
    let scans: Scans
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/funnel") { request, _ in
            let reader = QueryReader(request)
            guard let writeKey = reader.text("writeKey") else { throw Refusal.invalid("writeKey names the source") }
            let source = try await sources.known(writeKey)
            let limit = try reader.listedValues()
            let question = try reader.funnel(now: now())
            guard let storage = store.storage.people else {
                throw Refusal(.unsupported, "a cluster answers no funnels yet; a workspace on one machine does")
            }
            try scans.checkRoom()
            await readYourWrites.wait()
            let scan = PeopleScan(Funnel(question), source: source.id, storage: storage, scans: scans)
            return SteppingAnswer(scans: scans, limit: limit).response(request, scan)
        }
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
}
