import Testing
import TributaryJSON

@testable import Tributary

@Suite("Schedule of health reports") struct HealthScheduleTests {
    private let minute: Int64 = 60_000
    private let settings = HealthSettings()

    /// A schedule that was looked at first at 0.
    private func begun(events: Int = 0) -> HealthSchedule {
        var schedule = HealthSchedule()
        schedule.events = events
        _ = schedule.due(at: 0, settings)
        return schedule
    }

    @Test("A report comes after ten minutes when it covers enough events, else after two hours")
    func regular() {
        var schedule = begun(events: 60)
        #expect(schedule.due(at: 9 * minute, settings) == nil)
        #expect(schedule.due(at: 10 * minute, settings) == .regular)
        schedule.sent(.regular, at: 10 * minute)
        schedule.events = 59
        #expect(schedule.due(at: 20 * minute, settings) == nil)
        #expect(schedule.due(at: 130 * minute, settings) == .regular)
        schedule.sent(.regular, at: 130 * minute)
        #expect(schedule.due(at: 900 * minute, settings) == nil)
    }

    @Test("A server can ask for reports less often, and the first fault is reported without delay all the same")
    func seldom() {
        var settings = settings
        settings.minimumSeconds = 86_400
        var schedule = begun(events: 1000)
        #expect(schedule.due(at: 23 * 60 * minute, settings) == nil)
        schedule.isUrgent = true
        #expect(schedule.due(at: 23 * 60 * minute, settings) == .early)
        schedule.sent(.early, at: 23 * 60 * minute)
        #expect(schedule.due(at: 24 * 60 * minute, settings) == .regular)
    }

    @Test(
        "The interval of reports in the settings is bounded",
        arguments: [(1, 600), (-9, 600), (0, 600), (3600, 3600), (9_000_000_000, 604_800)])
    func bounded(asked: Int, seconds: Int) {
        let document: JSONObject = ["healthReports": ["minimumSeconds": .number(JSONNumber(asked))]]
        #expect(HealthSettings(Settings(document: document)).minimumSeconds == seconds)
    }

    @Test("A first fault is reported at once, once, and does not delay the regular report")
    func early() {
        var schedule = begun(events: 60)
        schedule.isUrgent = true
        #expect(schedule.due(at: minute, settings) == .early)
        schedule.sent(.early, at: minute)
        #expect(schedule.due(at: 2 * minute, settings) == nil)
        #expect(schedule.due(at: 10 * minute, settings) == .regular)
    }

    @Test("A server that does not know reports is asked again after a week")
    func refused() {
        var schedule = begun(events: 60)
        schedule.refusedAt = 10 * minute
        schedule.isUrgent = true
        #expect(schedule.due(at: 60 * 24 * 7 * minute, settings) == nil)
        #expect(schedule.due(at: (60 * 24 * 7 + 10) * minute, settings) == .regular)
    }

    @Test("A clock that goes back neither stops reports nor sends many")
    func clocks() {
        var schedule = HealthSchedule()
        schedule.events = 60
        _ = schedule.due(at: 1_000_000 * minute, settings)
        #expect(schedule.due(at: 5 * minute, settings) == nil)
        #expect(schedule.due(at: 14 * minute, settings) == nil)
        #expect(schedule.due(at: 15 * minute, settings) == .regular)
    }
}
