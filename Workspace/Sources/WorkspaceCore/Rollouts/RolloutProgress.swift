/// The stage in which a roll-out is, and for how long.
package struct RolloutProgress: Sendable, Equatable {
    /// Whether it is before the first stage: devices run the version as a shadow.
    package private(set) var isShadow: Bool
    /// The place of the stage in the plan.
    package private(set) var stage = 0
    /// The time in this stage so far, in milliseconds.
    package private(set) var held: Int64 = 0
    /// When the workspace looked last, by its clock.
    package private(set) var lookedAt: Int64

    /// The longest time that one look counts. The workspace looks more often, so a longer time means that its clock jumped
    /// or that it did not run; it took no reports then.
    static let longestLook: Int64 = 120_000

    /// - Parameter start: the time by the workspace's clock, in milliseconds.
    package init(start: Int64, isShadow: Bool = false) { (lookedAt, self.isShadow) = (start, isShadow) }

    /// Stored progress.
    package init(stage: Int, held: Int64, lookedAt: Int64, isShadow: Bool = false) {
        (self.stage, self.held, self.lookedAt) = (max(0, stage), max(0, held), lookedAt)
        self.isShadow = isShadow
    }

    /// Leaves out the time until now, in which the roll-out was paused.
    package mutating func skip(to now: Int64) { lookedAt = now }

    /// Counts the time since the last look. A clock that went back counts nothing.
    package mutating func look(at now: Int64) {
        let (elapsed, isOverflow) = now.subtractingReportingOverflow(lookedAt)
        held += isOverflow ? 0 : min(max(0, elapsed), Self.longestLook)
        lookedAt = now
    }

    /// Begins the same stage again.
    mutating func beginAgain(at now: Int64) { (held, lookedAt) = (0, now) }

    /// Begins the next stage.
    package mutating func advance() {
        if isShadow { isShadow = false } else { stage += 1 }
        held = 0
    }
}
