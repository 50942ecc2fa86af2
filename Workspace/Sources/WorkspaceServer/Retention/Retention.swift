import WorkspaceCore

/// Decides which days are deleted: a pure value, so that tests can use any clock.
package struct Retention: Sendable, Equatable {
    /// How many days are kept besides today; nil keeps all.
    let days: Int?

    /// How the clock stands to the day that was believed before.
    package enum Clock: Sendable, Equatable {
        case steady
        /// More than a day ahead.
        case ahead
        /// More than a day behind.
        case behind

        /// - Parameters:
        ///   - clock: the day of the clock.
        ///   - before: the day that was believed before; nil at the first time.
        init(_ clock: Day, before: Day?) {
            guard let before else {
                self = .steady
                return
            }
            self =
                clock > before.advanced(by: 1) ? .ahead : clock < before.advanced(by: -1) ? .behind : .steady
        }
    }

    /// The day, as far as the clock can be believed. A clock that goes back is believed at once, because that keeps
    /// more. A clock that leaps ahead is believed from one day to the next on which something that is there goes: an hour
    /// with a wrong clock must not cost years of events, and days on which nothing goes need no time.
    /// - Parameters:
    ///   - clock: the day of the clock.
    ///   - before: the day that was believed before; nil at the first time.
    ///   - isLasting: true when the clock was ahead an hour ago as well.
    ///   - due: the days on which something that is there goes.
    static func today(_ clock: Day, before: Day?, isLasting: Bool, due: some Sequence<Day>) -> Day {
        guard let before, Clock(clock, before: before) == .ahead else { return clock }
        guard isLasting else { return before }
        return min(due.filter { $0 > before }.min() ?? clock, clock)
    }

    /// The days on which days of events, of message ids and of health reports go.
    func due(
        events: some Sequence<Day>, messages: some Sequence<Day>, health: some Sequence<Day>
    ) -> [Day] {
        let health = health.map { $0.advanced(by: healthDays + 1) }
        guard let days else { return health }
        return health + events.map { $0.advanced(by: Int64(days) + 1) }
            + messages.map { $0.advanced(by: max(Int64(days), Limits.rememberedDays) + 1) }
    }

    /// How many days sums of health reports are kept.
    var healthDays: Int64 { min(days.map(Int64.init) ?? .max, Limits.healthDays) }

    /// Days before this one are deleted.
    func firstKept(_ today: Day) -> Day? { days.map { today.advanced(by: -Int64($0)) } }

    /// Message ids of days before this one are deleted. A repeat is recognised as long as the first event is kept, and
    /// at least as long as devices keep events that they could not send.
    func firstRemembered(_ today: Day) -> Day? {
        days.map { today.advanced(by: -max(Int64($0), Limits.rememberedDays)) }
    }
}
