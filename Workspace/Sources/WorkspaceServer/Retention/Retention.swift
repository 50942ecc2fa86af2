/// Decides which days are deleted: a pure value, so that tests can use any clock.
struct Retention: Sendable, Equatable {
    /// How many days are kept besides today; nil keeps all.
    let days: Int?

    /// The day, as far as the clock can be believed. A clock that goes back is believed at once, because that keeps
    /// more. A clock that leaps ahead is believed one day at a time: an hour with a wrong clock must not cost years of
    /// events.
    /// - Parameters:
    ///   - clock: the day of the clock.
    ///   - before: the day that was believed before; nil at the first time.
    ///   - isLasting: true when the clock was ahead an hour ago as well.
    static func today(_ clock: Day, before: Day?, isLasting: Bool) -> Day {
        guard let before, isLeap(clock, before) else { return clock }
        return isLasting ? before.advanced(by: 1) : before
    }

    /// Whether the clock is more than a day ahead of what was believed.
    static func isLeap(_ clock: Day, _ before: Day?) -> Bool { before.map { clock > $0.advanced(by: 1) } ?? false }

    /// Days before this one are deleted.
    func firstKept(_ today: Day) -> Day? { days.map { today.advanced(by: -Int64($0)) } }

    /// Message ids of days before this one are deleted. A repeat is recognised as long as the first event is kept, and
    /// at least as long as devices keep events that they could not send.
    func firstRemembered(_ today: Day) -> Day? {
        days.map { today.advanced(by: -max(Int64($0), Limits.rememberedDays)) }
    }
}
