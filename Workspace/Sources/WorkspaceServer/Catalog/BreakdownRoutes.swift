import Foundation
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
            let limit = try reader.listedValues()
            return SteppingAnswer(scans: scans, limit: limit).response(request, try await search(reader))
        }
    }

    /// The search for the answer to a query.
    func search(_ reader: QueryReader) async throws -> BreakdownScan {
        guard let writeKey = reader.text("writeKey") else { throw Refusal.invalid("writeKey names the source") }
        let source = try await sources.known(writeKey)
        let question = try reader.breakdown(now: now(), in: reader.zone(of: source))
        let paths = [question.path, question.and, question.measure?.path].compactMap { $0 }
        try await store.checkSight(of: paths + question.conditions.map(\.path))
        let query = try reader.eventQuery(matching: [.type, .name, .writeKey])
        let rows = try await store.rowQuery(query, .bodies)
        try scans.checkRoom()
        await readYourWrites.wait()
        return try await BreakdownScan(question, rows, storage: store.storage, scans: scans, hiding: store.hiding())
    }
}

extension QueryReader {
    fileprivate func breakdown(now: Int64, in zone: TimeZone?) throws(Refusal) -> Breakdown.Question {
        let unit: Intervals.Unit = try choice("interval") ?? .day
        var days = try wholeDays(now: now, in: zone)
        if unit == .week { days = days.lowerBound.monday...days.upperBound }
        let intervals = try Intervals(unit, of: days, in: zone)
        return Breakdown.Question(
            intervals: intervals, before: try before(intervals, days, zone), time: try choice("time") ?? .received,
            path: try path("property"), and: try second(), conditions: try conditions(), measure: try measure())
    }

    /// As many days before the first interval, when the query wants to compare with them.
    private func before(
        _ intervals: Intervals, _ days: ClosedRange<Day>, _ zone: TimeZone?
    ) throws(Refusal) -> Range<Int64> {
        guard text("compare") == "true" else { return 0..<0 }
        let length = days.upperBound.number - days.lowerBound.number + 1
        let first = days.lowerBound.advanced(by: -length)
        let start = try Intervals(.day, of: first...first, in: zone).times.lowerBound
        return start..<intervals.times.lowerBound
    }

    /// The second member by which events are counted.
    private func second() throws(Refusal) -> JSONPath? {
        guard let path = try path("and") else { return nil }
        guard text("property") != nil else {
            throw .invalid("and is the path of a second property, so it needs property")
        }
        return path
    }

    private func measure() throws(Refusal) -> (path: JSONPath, statistic: Statistic)? {
        let statistic: Statistic? = try choice("statistic")
        switch (statistic, try path("of")) {
        case (let statistic?, let path?): return (path, statistic)
        case (nil, nil): return nil
        case (_?, nil): throw .invalid("of is the path of the numbers, such as properties.total")
        case (nil, _?): throw .invalid("statistic says what is asked of the numbers: \(Self.list(Statistic.self))")
        }
    }

    private func path(_ name: String) throws(Refusal) -> JSONPath? {
        if let text = text(name) { try JSONPath(text) } else { nil }
    }

    private func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String) throws(Refusal) -> Choice? {
        guard let text = text(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw .invalid("\(name) is one of \(Self.list(Choice.self))")
        }
        return choice
    }

    private static func list<Choice: RawRepresentable<String> & CaseIterable>(_ choices: Choice.Type) -> String {
        Choice.allCases.map(\.rawValue).joined(separator: ", ")
    }
}
