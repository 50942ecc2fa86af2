import Testing

@testable import TributaryScript

@Suite("The time limit of a call") struct TimeLimitTests {
    private func limit(_ seconds: Double, at now: UInt64 = 1_000, from used: UInt64 = 500) -> TimeLimit {
        var limit = TimeLimit(seconds: seconds, now: now, within: TimeLimit())
        limit.count(now: now) { used }
        return limit
    }

    @Test("The budget is used up when the thread has used as much of the processor")
    func processor() {
        let limit = limit(1e-6)
        #expect(!limit.isOver(now: 1_999, used: { .max }))
        #expect(!limit.isOver(now: 2_000, used: { 1_499 }))
        #expect(limit.isOver(now: 2_000, used: { 1_500 }))
    }

    @Test("The processor's time is not read before the budget can be used up")
    func cheap() {
        var reads = 0
        _ = limit(1e-6).isOver(now: 1_500) {
            reads += 1
            return 0
        }
        #expect(reads == 0)
    }

    @Test("A thread that gets nothing of the processor, or does not say how much, is stopped a second later")
    func waiting() {
        let limit = limit(1e-6)
        #expect(!limit.isOver(now: 1_000_001_999, used: { 0 }))
        #expect(limit.isOver(now: 1_000_002_000, used: { 0 }))
    }

    @Test("An inner call cannot outlive the outer one, in either time")
    func inner() {
        let outer = limit(1e-6)
        var inner = TimeLimit(seconds: 3_600, now: 1_100, within: outer)
        inner.count(now: 1_100) { 600 }
        #expect(inner.isOver(now: 2_000, used: { 1_500 }))
        #expect(!inner.isOver(now: 2_000, used: { 1_499 }))
        #expect(inner.isOver(now: 1_000_002_000, used: { 0 }))
    }

    @Test("Of the time before the first look, a tenth of the budget at most counts")
    func firstLook() {
        // Within this time of the clock, the script may have had the processor all along, or not at all.
        for (now, used, end) in [(1_060, 540, 1_480), (5_000, 2_000, 2_900), (5_000, 30, 1_000)]
            as [(UInt64, UInt64, UInt64)]
        {
            var limit = TimeLimit(seconds: 1e-6, now: 1_000, within: TimeLimit())
            limit.count(now: now) { used }
            #expect(limit.processor == end)
            limit.count(now: now + 5_000) { used + 700 }
            #expect(limit.processor == end)
        }
    }

    @Test("What stopping a script will need is taken from its budget, in either time")
    func shortened() {
        var limit = limit(1e-6)
        limit.shorten(by: 400)
        #expect(!limit.isOver(now: 1_599, used: { .max }))
        #expect(!limit.isOver(now: 1_600, used: { 1_099 }))
        #expect(limit.isOver(now: 1_600, used: { 1_100 }))
        #expect(limit.isOver(now: 1_000_001_600, used: { 0 }))
        limit.shorten(by: .max)
        #expect(limit.isOver(now: 0, used: { 0 }))
    }

    @Test("Calls that share a budget count from the first one on")
    func shared() {
        let shared = TimeLimit(seconds: 1e-6, now: 1_000, within: TimeLimit())
        var first = TimeLimit(seconds: 1e-6, now: 1_100, within: shared)
        first.count(now: 1_100) { 500 }
        var second = TimeLimit(seconds: 1e-6, now: 1_900, within: shared.after(first))
        second.count(now: 1_900) { 1_400 }
        #expect(second.isOver(now: 2_000, used: { 1_500 }))
        #expect(!second.isOver(now: 2_000, used: { 1_499 }))
        #expect(TimeLimit().after(first) == TimeLimit())
    }

    @Test("A budget of less than nothing, and one of more than a year, make a limit", arguments: [-1.0, .infinity])
    func extremes(seconds: Double) {
        #expect(limit(seconds).isOver(now: 1_000, used: { 500 }) == (seconds < 0))
    }

    @Test("Without a call there is no limit")
    func none() {
        var none = TimeLimit()
        #expect(!none.isOver(now: .max - 1, used: { .max - 1 }))
        none.shorten(by: 1_000)
        #expect(none == TimeLimit())
    }
}
