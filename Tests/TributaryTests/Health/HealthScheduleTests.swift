import Testing

@testable import Tributary

@Suite("Schedule of health reports") struct HealthScheduleTests {
    private let minute: Int64 = 60_000

    /// A schedule that was looked at first at 0.
    private func begun(events: Int = 0) -> HealthSchedule {
        var schedule = HealthSchedule()
        schedule.events = events
        _ = schedule.due(at: 0, minimumEvents: 60)
        return schedule
    }

    @Test("A report comes after ten minutes when it covers enough events, else after two hours")
    func regular() {
        var schedule = begun(events: 60)
        #expect(schedule.due(at: 9 * minute, minimumEvents: 60) == nil)
        #expect(schedule.due(at: 10 * minute, minimumEvents: 60) == .regular)
        schedule.sent(.regular, at: 10 * minute)
        schedule.events = 59
        #expect(schedule.due(at: 20 * minute, minimumEvents: 60) == nil)
        #expect(schedule.due(at: 130 * minute, minimumEvents: 60) == .regular)
        schedule.sent(.regular, at: 130 * minute)
        #expect(schedule.due(at: 900 * minute, minimumEvents: 60) == nil)
    }

    @Test("A first fault is reported at once, once, and does not delay the regular report")
    func early() {
        var schedule = begun(events: 60)
        schedule.isUrgent = true
        #expect(schedule.due(at: minute, minimumEvents: 60) == .early)
        schedule.sent(.early, at: minute)
        #expect(schedule.due(at: 2 * minute, minimumEvents: 60) == nil)
        #expect(schedule.due(at: 10 * minute, minimumEvents: 60) == .regular)
    }

    @Test("A server that does not know reports is asked again after a week")
    func refused() {
        var schedule = begun(events: 60)
        schedule.refusedAt = 10 * minute
        schedule.isUrgent = true
        #expect(schedule.due(at: 60 * 24 * 7 * minute, minimumEvents: 60) == nil)
        #expect(schedule.due(at: (60 * 24 * 7 + 10) * minute, minimumEvents: 60) == .regular)
    }

    @Test("A clock that goes back neither stops reports nor sends many")
    func clocks() {
        var schedule = HealthSchedule()
        schedule.events = 60
        _ = schedule.due(at: 1_000_000 * minute, minimumEvents: 60)
        #expect(schedule.due(at: 5 * minute, minimumEvents: 60) == nil)
        #expect(schedule.due(at: 14 * minute, minimumEvents: 60) == nil)
        #expect(schedule.due(at: 15 * minute, minimumEvents: 60) == .regular)
    }
}
