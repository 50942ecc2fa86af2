import Testing

@testable import Storefront

@Suite struct PaceTests {
    @Test func eventsAreSpreadEvenly() {
        let pace = Pace(eventsPerSecond: 100)
        #expect(pace.wait(afterEvents: 1, elapsed: 0) == 0.01)
        #expect(pace.wait(afterEvents: 100, elapsed: 0.25) == 0.75)
    }

    @Test("Late events are played without a wait")
    func lateEvents() {
        #expect(Pace(eventsPerSecond: 100).wait(afterEvents: 10, elapsed: 3) == 0)
    }

    @Test("Events without a speed are played without a wait")
    func noSpeed() {
        #expect(Pace(eventsPerSecond: nil).wait(afterEvents: 1_000_000, elapsed: 0) == 0)
    }
}
