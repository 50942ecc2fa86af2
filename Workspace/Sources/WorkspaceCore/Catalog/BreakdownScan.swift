import Synchronization
package import TributaryJSON

/// Counts the events of some days, step by step.
package struct BreakdownScan: SteppingSearch {
    private var days: DayScan
    private let counted: Counted

    /// The counts so far. They are changed in place, because they may be large.
    private final class Counted: Sendable {
        let breakdown: Mutex<Breakdown>

        init(_ breakdown: Breakdown) { self.breakdown = Mutex(breakdown) }
    }

    private let time: Breakdown.Question.Time
    private let hiding: PersonalDataMask?

    /// - Parameters:
    ///   - query: the events; its times are set here.
    ///   - hiding: hides personal data from the question.
    package init(
        _ question: Breakdown.Question, _ query: RowQuery, storage: any EventStorage, scans: Scans,
        hiding: PersonalDataMask? = nil
    ) async throws {
        var query = query
        var days = Day(milliseconds: question.times.lowerBound)...Day(milliseconds: question.times.upperBound - 1)
        if question.time == .happened {
            query.happened = question.times
            // Events arrive after they happened, an import years later.
            days = days.lowerBound...max(days.upperBound, try await storage.days().last ?? days.upperBound)
        }
        self.days = try await DayScan(query, days: days, storage: storage, scans: scans)
        (counted, time, self.hiding) = (Counted(Breakdown(question)), question.time, hiding)
    }

    package mutating func step() async throws -> Bool {
        try await days.step { [counted, time, hiding] rows in
            try counted.breakdown.withLock { breakdown in
                for row in rows {
                    guard let times = row.times else { continue }
                    try (hiding?.hidden(event: row.body) ?? row.body).withUnsafeBufferPointer {
                        try breakdown.take($0, at: time == .happened ? times.happened : times.received)
                    }
                }
            }
        }
    }

    package var progress: JSON { days.progress(looked: counted.breakdown.withLock { $0.looked }) }

    package func part(limit: Int) -> JSON? { counted.breakdown.withLock { $0.part(limit: limit) } }

    package func result(limit: Int) -> JSON { counted.breakdown.withLock { $0.json(limit: limit) } }
}
