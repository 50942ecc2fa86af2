import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The next step of a node with the log of health reports") struct HealthLogStepTests {
    private func step(_ place: UInt64?, first: UInt64, last: UInt64, log: String = "log", shortFor: Int64 = 0)
        -> HealthLogStep
    {
        HealthLogStep(
            place.map { HealthLogOffset(incarnation: "log", place: $0, since: nil) },
            LogRange(incarnation: log, first: first, last: last), shortFor: shortFor)
    }

    @Test("A new node begins with the first record that is there") func new() {
        #expect(step(nil, first: 1, last: 0) == .begin(behind: 0, .new))
        #expect(step(nil, first: 7, last: 9) == .begin(behind: 6, .new))
    }

    @Test("Records are read in order, up to the last one") func reading() {
        #expect(step(0, first: 1, last: 0) == .current)
        #expect(step(0, first: 1, last: 1) == .read(from: 1))
        #expect(step(6, first: 7, last: 9) == .read(from: 7))
        #expect(step(9, first: 7, last: 9) == .current)
        // All records were dropped after they had been counted.
        #expect(step(9, first: 10, last: 9) == .current)
    }

    @Test("Records that are gone are passed over, and not without a word") func gone() {
        #expect(step(5, first: 7, last: 9) == .begin(behind: 6, .dropped))
        #expect(step(5, first: 1, last: 2, log: "other") == .begin(behind: 0, .madeAgain))
    }

    @Test("A log that ends too early is believed only when that lasts") func short() {
        #expect(step(5, first: 1, last: 4) == .wait)
        #expect(step(5, first: 1, last: 4, shortFor: HealthLogStep.patience - 1) == .wait)
        #expect(step(5, first: 1, last: 4, shortFor: HealthLogStep.patience) == .begin(behind: 4, .wentBack))
    }
}
