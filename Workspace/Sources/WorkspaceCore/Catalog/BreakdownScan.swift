import Synchronization
package import TributaryJSON

/// Looks at the events of some days, newest first, step by step.
package struct BreakdownScan {
    private let storage: any EventStorage
    private let scans: Scans
    private var query: RowQuery
    /// The days that are still to be looked at, oldest first.
    private var days: [Day]
    /// How many events there are to look at, at most.
    private let most: Int
    private let counted: Counted

    /// The counts so far. They are changed in place, because they may be large.
    private final class Counted: Sendable {
        let breakdown: Mutex<Breakdown>

        init(_ breakdown: Breakdown) { self.breakdown = Mutex(breakdown) }
    }

    /// - Parameters:
    ///   - query: the events; its times are set here.
    ///   - days: all days to read, including the days before the breakdown.
    package init(
        _ breakdown: Breakdown, _ query: RowQuery, days: ClosedRange<Day>, storage: any EventStorage, scans: Scans
    ) async throws {
        (counted, self.storage, self.scans) = (Counted(breakdown), storage, scans)
        let known = try await storage.days().filter(days.contains)
        self.days = known
        var query = query.bodies
        query.order = .descending
        query.limit = Limits.rowsInScanStep
        (query.since, query.until) = (days.lowerBound.start, days.upperBound.advanced(by: 1).start)
        most = try await storage.most(query)
        self.query = query
        if let last = known.last { begin(last) }
    }

    private mutating func begin(_ day: Day) { (query.since, query.until) = (day.start, day.advanced(by: 1).start) }

    /// Looks at some more events.
    /// - Returns: false when there are none.
    package mutating func step() async throws -> Bool {
        var left = Limits.breakdownStep
        while left > 0, let day = days.last {
            let rows = try await storage.rows(query)
            try await scans.look(at: rows.count) { [counted] in
                try counted.breakdown.withLock { breakdown in
                    for row in rows {
                        try row.body.withUnsafeBufferPointer { try breakdown.take($0, on: day) }
                    }
                }
            }
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

    /// The counts, as the API shows them.
    /// - Parameter limit: how many values are listed.
    package func result(limit: Int) -> JSON { counted.breakdown.withLock { $0.json(limit: limit) } }

    /// How far it is, as the API shows it.
    package var progress: JSON {
        let looked = counted.breakdown.withLock { $0.looked }
        return [
            "looked": .number(looked), "most": .number(max(most, looked)),
            "day": days.last.map { .string("\($0)") } ?? .null,
        ]
    }
}
