import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("When a range of events is written") struct ObjectScheduleTests {
    private static let hour: Int64 = 1_763_726_400_000  // 2025-11-21T12:00:00Z
    private static let over = hour + 3_600_000 + Limits.fileGraceMilliseconds

    private static func schedule(seeing count: Int = 0, at time: Int64 = hour) -> ObjectSchedule {
        var schedule = ObjectSchedule(position: 10, now: hour, random: { 0 })
        if count > 0 { schedule.saw(EventBacklog(count: count, oldest: time), through: 10 + Int64(count)) }
        return schedule
    }

    @Test("Without events nothing is due, and everything is delivered")
    func idle() {
        var schedule = Self.schedule()
        #expect(!schedule.isDue(now: .max / 2))
        schedule.saw(EventBacklog(), through: 900)
        #expect(schedule.state.position == 900)
        #expect(schedule.position == 10)
    }

    @Test("A range is due some time after its hour, and at once when there are enough events")
    func due() {
        var schedule = Self.schedule(seeing: 3)
        #expect(!schedule.isDue(now: Self.over - 1))
        #expect(schedule.isDue(now: Self.over))
        #expect(schedule.state.position == 10)
        #expect(schedule.countable == Limits.objectRows - 3)
        schedule.saw(EventBacklog(count: Limits.objectRows - 3, oldest: Self.hour + 9), through: 1 << 20)
        #expect(schedule.isDue(now: Self.hour))
        schedule.wait(rows: 4)
        #expect(!schedule.isDue(now: Self.hour))
        schedule.advance(to: 13, now: Self.over)
        #expect((schedule.position, schedule.seen) == (13, 13))
        #expect(!schedule.isDue(now: .max / 2))
    }

    @Test("A range that failed rests longer each time, and is then tried with the same end")
    func failure() {
        var schedule = Self.schedule(seeing: 3)
        schedule.failed(through: 12, "no", retryAfter: nil, now: Self.over)
        #expect(schedule.rest == DestinationRest(until: Self.over + 1_000, reason: "no"))
        #expect(!schedule.isDue(now: Self.over + 999))
        #expect(schedule.isDue(now: Self.over + 1_000))
        #expect(schedule.unfinished == 12)
        schedule.failed(through: 12, "no", retryAfter: nil, now: Self.over)
        #expect(schedule.rest?.until == Self.over + 2_000)
        schedule.failed(through: 12, "no", retryAfter: 90_000, now: Self.over)
        #expect(schedule.rest?.until == Self.over + 90_000)
        schedule.failed(through: 12, "no", retryAfter: .max / 2, now: Self.over)
        #expect(schedule.rest?.until == Self.over + 3_600_000)
        #expect(schedule.isDue(now: Self.over - 1), "the clock was set back")
        schedule.advance(to: 12, now: Self.over)
        #expect(schedule.rest == nil)
        #expect(schedule.unfinished == nil)
    }

    @Test("Numbers of other sources are passed from time to time, but not while an event waits")
    func moving() {
        var schedule = Self.schedule()
        let later = Self.hour + Limits.objectMove
        #expect(!schedule.shouldMove(now: later))
        schedule.saw(EventBacklog(), through: 900)
        #expect(!schedule.shouldMove(now: later - 1))
        #expect(schedule.shouldMove(now: later))
        #expect(!Self.schedule(seeing: 1).shouldMove(now: later))
    }
}
