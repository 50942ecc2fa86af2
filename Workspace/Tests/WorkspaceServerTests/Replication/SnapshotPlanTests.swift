import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("When a snapshot of the settings is due") struct SnapshotPlanTests {
    private func record(_ bytes: Int) -> LogRecord { LogRecord(place: 1, bytes: [UInt8](repeating: 0, count: bytes)) }

    @Test("After so many records, or so many bytes, of changes") func due() {
        var plan = SnapshotPlan(records: 3, bytes: 100)
        for _ in 0..<2 { plan.note(change: record(10)) }
        #expect(!plan.isDue)
        plan.note(change: record(10))
        #expect(plan.isDue)
        plan.note(snapshotAt: 4)
        #expect(!plan.isDue)
        plan.note(change: record(100))
        #expect(plan.isDue)
    }

    @Test("Records before the last snapshot but one are not needed") func needed() {
        var plan = SnapshotPlan(records: 3, bytes: 100)
        #expect(plan.firstNeeded == nil)
        plan.note(snapshotAt: 4)
        #expect(plan.firstNeeded == nil)
        plan.note(snapshotAt: 9)
        #expect(plan.firstNeeded == 4)
        plan.note(snapshotAt: 20)
        #expect(plan.firstNeeded == 9)
    }
}
