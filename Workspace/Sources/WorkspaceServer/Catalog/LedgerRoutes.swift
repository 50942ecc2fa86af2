import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Shows operators where the events of a source ended, by version of its app.
struct LedgerRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let readYourWrites: ReadYourWrites
    let scans: Scans
    /// Waits for the reports that were acknowledged before, and says which ones the sums have.
    var cover: @Sendable () async -> HealthCover = { HealthCover() }
    let now: @Sendable () -> Int64

    private static let hour: Int64 = 3_600_000
    /// The versions of stored events that are told apart.
    private static let versions = 200

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/ledger") { request, _ in Response.json(try await ledger(QueryReader(request))) }
    }

    func ledger(_ query: QueryReader) async throws -> JSON {
        guard let writeKey = query.text("writeKey") else { throw Refusal.invalid("writeKey names the source") }
        let source = try await sources.known(writeKey)
        let days = try query.wholeDays(now: now())
        let countsStored = try query.countsStored()
        let cover = await cover()
        let times = days.lowerBound.start..<days.upperBound.advanced(by: 1).start
        let sums = try await store.accounts(
            of: source.id, hours: times.lowerBound / Self.hour..<times.upperBound / Self.hour)
        let devices = try await store.accountDevices(of: source.id, since: times.lowerBound)
        let stored = countsStored ? try await stored(source, days) : nil
        var json = LossLedger(sums, devices: devices, stored: stored).json
        json["firstDay"] = .string(days.lowerBound.description)
        json["lastDay"] = .string(days.upperBound.description)
        json["mayLack"] = .number(stored?.mayLack)
        json["cover"] = cover.json
        return .object(json)
    }

    /// Counts stored events by the version of the app, by reading them.
    private func stored(_ source: Source, _ days: ClosedRange<Day>) async throws -> LossLedger.Stored {
        let question = Breakdown.Question(
            intervals: try Intervals(.day, of: days, in: nil), path: try JSONPath("context.app.version"))
        var query = RowQuery(.bodies)
        query.source = source.id
        query.writeKeys = [source.id: source.writeKey]
        try scans.checkRoom()
        await readYourWrites.wait()
        let search = try await BreakdownScan(question, query, storage: store.storage, scans: scans)
        let answer = SteppingAnswer(scans: scans, limit: Self.versions)
        return LossLedger.Stored(breakdown: try await answer.result(of: search))
    }
}

extension QueryReader {
    /// Whether stored events are counted, which takes the longer the more there are; they are, unless the query says not.
    fileprivate func countsStored() throws(Refusal) -> Bool {
        switch text("stored") {
        case nil, "true": return true
        case "false": return false
        default: throw .invalid("stored is true or false")
        }
    }
}
