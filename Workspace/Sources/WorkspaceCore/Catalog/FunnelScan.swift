import Synchronization
package import TributaryJSON

/// Looks at the events of a funnel, step by step.
package struct FunnelScan: SteppingSearch {
    private let scans: Scans
    private var days: DayScan
    private let counted: Counted

    /// The funnel so far. It is changed in place, because it may be large.
    private final class Counted: Sendable {
        let funnel: Mutex<Funnel>

        init(_ funnel: Funnel) { self.funnel = Mutex(funnel) }
    }

    /// Also reads the days after those of the question, because events of a device without network arrive late.
    package init(_ question: Funnel.Question, _ query: RowQuery, storage: any EventStorage, scans: Scans) async throws {
        let last = question.days.upperBound.advanced(by: Limits.funnelLateDays)
        days = try await DayScan(query, days: question.days.lowerBound...last, storage: storage, scans: scans)
        (counted, self.scans) = (Counted(Funnel(question)), scans)
    }

    package mutating func step() async throws -> Bool {
        try await days.step { [counted] rows, _ in
            try counted.funnel.withLock { funnel in
                for row in rows {
                    guard let time = row.timestamp else { throw Refusal(.unsupported, "this storage has no funnels") }
                    try row.body.withUnsafeBufferPointer { try funnel.take($0, at: time, sequence: row.sequence) }
                }
            }
        }
    }

    package var progress: JSON { days.progress(looked: counted.funnel.withLock { $0.looked }) }

    /// How far a person came depends on all events.
    package func part(limit: Int) -> JSON? { nil }

    package func result(limit: Int) async throws -> JSON {
        try await scans.look(at: 0) { [counted] in counted.funnel.withLock { $0.json(limit: limit) } }
    }
}
