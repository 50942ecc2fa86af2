import Foundation
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
            let limit = try reader.listedValues()
            return SteppingAnswer(scans: scans, limit: limit).response(request, try await funnel(reader))
        }
        router.get("api/retention") { request, _ in
            SteppingAnswer(scans: scans, limit: 0).response(request, try await retention(QueryReader(request)))
        }
    }

    /// The search for the people of a funnel.
    func funnel(_ reader: QueryReader) async throws -> PeopleScan<Funnel> {
        try await search(reader) { zone in
            let question = try reader.funnel(now: now(), in: zone)
            let paths = question.steps.flatMap(\.conditions).map(\.path) + [question.path].compactMap { $0 }
            try await store.checkSight(of: paths)
            return Funnel(question)
        }
    }

    /// The search for the people who came back.
    func retention(_ reader: QueryReader) async throws -> PeopleScan<PeopleRetention> {
        try await search(reader) { zone in
            let question = try reader.retention(now: now(), in: zone)
            let steps = [question.first, question.returning]
            try await store.checkSight(of: steps.flatMap(\.conditions).map(\.path))
            return PeopleRetention(question)
        }
    }

    private func search<Count: PeopleCount>(
        _ reader: QueryReader, _ count: (TimeZone?) async throws -> Count
    ) async throws -> PeopleScan<Count> {
        guard let writeKey = reader.text("writeKey") else { throw Refusal.invalid("writeKey names the source") }
        let source = try await sources.known(writeKey)
        let count = try await count(reader.zone(of: source))
        guard let storage = store.storage.people else {
            throw Refusal(.unsupported, "a cluster does not count people yet; a workspace on one machine does")
        }
        try scans.checkRoom()
        await readYourWrites.wait()
        return PeopleScan(
            count, source: source.id, storage: storage, scans: scans, hiding: try await store.hiding())
    }
}

extension QueryReader {
    fileprivate func funnel(now: Int64, in zone: TimeZone?) throws(Refusal) -> Funnel.Question {
        let texts = texts("step")
        // Counted before they are read, because each one may be long.
        guard texts.count <= Limits.funnelSteps.upperBound else {
            throw .invalid("a funnel has at most \(Limits.funnelSteps.upperBound) steps")
        }
        var steps: [FunnelStep] = []
        for text in texts { steps.append(try FunnelStep(text)) }
        let path: JSONPath? = if let property = text("property") { try JSONPath(property) } else { nil }
        return try Funnel.Question(
            steps: steps, window: try number("window") ?? Limits.funnelWindowSeconds,
            days: try wholeDays(now: now, in: zone),
            zone: zone, path: path, around: try number("around").map { Int(clamping: $0) - 1 })
    }

    fileprivate func retention(now: Int64, in zone: TimeZone?) throws(Refusal) -> PeopleRetention.Question {
        guard let first = text("first") else {
            throw .invalid("first names the event that people do first, as a step of a funnel does")
        }
        let name = text("by") ?? PeopleRetention.Period.day.rawValue
        guard let period = PeopleRetention.Period(rawValue: name) else { throw .invalid("by is day or week") }
        return try PeopleRetention.Question(
            first: try FunnelStep(first), returning: try FunnelStep(text("returning") ?? first), period: period,
            days: try wholeDays(now: now, in: zone), zone: zone)
    }
}
