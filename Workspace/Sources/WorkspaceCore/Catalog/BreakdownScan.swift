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

    /// - Parameters:
    ///   - query: the events; its times are set here.
    ///   - days: all days to read, including the days before the breakdown.
    package init(
        _ breakdown: Breakdown, _ query: RowQuery, days: ClosedRange<Day>, storage: any EventStorage, scans: Scans
    ) async throws {
        self.days = try await DayScan(query, days: days, storage: storage, scans: scans)
        counted = Counted(breakdown)
    }

    package mutating func step() async throws -> Bool {
        try await days.step { [counted] rows, day in
            try counted.breakdown.withLock { breakdown in
                for row in rows { try row.body.withUnsafeBufferPointer { try breakdown.take($0, on: day) } }
            }
        }
    }

    package var progress: JSON { days.progress(looked: counted.breakdown.withLock { $0.looked }) }

    package func part(limit: Int) -> JSON? { result(limit: limit) }

    package func result(limit: Int) -> JSON { counted.breakdown.withLock { $0.json(limit: limit) } }
}
