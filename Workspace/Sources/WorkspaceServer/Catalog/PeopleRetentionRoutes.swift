import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Counts the people who came back. Nothing is prepared for it, so the answer reports its progress.
struct PeopleRetentionRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let readYourWrites: ReadYourWrites
    let scans: Scans
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/retention") { request, _ in
            let reader = QueryReader(request)
            guard let writeKey = reader.text("writeKey") else { throw Refusal.invalid("writeKey names the source") }
            let source = try await sources.known(writeKey)
            let question = try reader.retention(now: now())
            guard let storage = store.storage.people else {
                throw Refusal(.unsupported, "a cluster answers no retention yet; a workspace on one machine does")
            }
            try scans.checkRoom()
            await readYourWrites.wait()
            let scan = PeopleScan(PeopleRetention(question), source: source.id, storage: storage, scans: scans)
            return SteppingAnswer(scans: scans, limit: 0).response(request, scan)
        }
    }
}

extension QueryReader {
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
