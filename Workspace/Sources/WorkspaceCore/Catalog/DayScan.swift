import TributaryJSON

/// Looks at the events of some days, newest first, step by step.
struct DayScan {
    private let storage: any EventStorage
    private let scans: Scans
    private var query: RowQuery
    /// The days that are still to be looked at, oldest first.
    private var days: [Day]
    /// How many events there are to look at, at most.
    private let most: Int

    /// - Parameter query: the events; its times are set here.
    init(_ query: RowQuery, days: ClosedRange<Day>, storage: any EventStorage, scans: Scans) async throws {
        (self.storage, self.scans) = (storage, scans)
        let known = try await storage.days().filter(days.contains)
        self.days = known
        var query = query.bodies
        query.order = .descending
        query.limit = Limits.rowsInScanStep
        (query.since, query.until) = (days.times.lowerBound, days.times.upperBound)
        most = try await storage.most(query)
        self.query = query
        if let last = known.last { begin(last) }
    }

    private mutating func begin(_ day: Day) { (query.since, query.until) = (day.start, day.advanced(by: 1).start) }

    /// Looks at some more events.
    /// - Parameter look: gets rows on the thread of searches.
    /// - Returns: false when there are none.
    mutating func step(_ look: @escaping @Sendable ([StoredRow]) throws -> Void) async throws -> Bool {
        var left = Limits.breakdownStep
        while left > 0, !days.isEmpty {
            let rows = try await storage.rows(query)
            try await scans.look(at: rows.count) { try look(rows) }
            left -= max(1, rows.count)
            if rows.count == query.limit, let last = rows.last {
                query.before = last.sequence
            } else {
                days.removeLast()
                query.before = nil
                if let next = days.last { begin(next) }
            }
        }
        return !days.isEmpty
    }

    /// How far it is, as the API shows it.
    /// - Parameter looked: the events that were looked at.
    func progress(looked: Int) -> JSON {
        [
            "looked": .number(looked), "most": .number(max(most, looked)),
            "day": days.last.map { .string("\($0)") } ?? .null,
        ]
    }
}
