/// Which days are given up: pure, so that every clock can be tried.
struct Retention: Sendable, Equatable {
    /// How many days are kept besides today; nil keeps all.
    let days: Int?

    /// What day it is, as far as that can be believed. A clock that says earlier is believed at once, which keeps more.
    /// One that leaps ahead is believed a day at a time: an hour with a wrong clock must not cost years of events.
    /// - Parameters:
    ///   - clock: what the clock says.
    ///   - before: what was believed before; nil at the very first.
    ///   - isLasting: true when the clock said so an hour ago as well.
    static func today(_ clock: Day, before: Day?, isLasting: Bool) -> Day {
        guard let before, isLeap(clock, before) else { return clock }
        return isLasting ? before.advanced(by: 1) : before
    }

    /// Whether the clock is more than a day ahead of what was believed.
    static func isLeap(_ clock: Day, _ before: Day?) -> Bool { before.map { clock > $0.advanced(by: 1) } ?? false }

    /// Days before this one are given up.
    func firstKept(_ today: Day) -> Day? { days.map { today.advanced(by: -Int64($0)) } }

    /// Messages of days before this one are forgotten: a repeat is found as long as the first is kept, and at least for
    /// as long as devices keep what they could not send.
    func firstRemembered(_ today: Day) -> Day? {
        days.map { today.advanced(by: -max(Int64($0), Limits.rememberedDays)) }
    }
}
