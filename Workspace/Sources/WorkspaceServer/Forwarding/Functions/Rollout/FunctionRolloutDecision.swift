import WorkspaceCore

/// The next step of a roll-out of a destination function.
enum FunctionRolloutDecision: Sendable, Equatable {
    case wait(FunctionRolloutReason)
    /// The next stage, with its percentage.
    case advance(to: Int)
    /// The last stage went well: the roll-out is over.
    case finish
    case rollBack(FunctionRolloutReason)

    /// Decides by what is known now; the same each time for the same attempts. Few attempts decide nothing.
    init(plan: FunctionRolloutPlan, progress: RolloutProgress, tries: FunctionTries) {
        guard tries.new.total >= plan.minimumEvents else {
            self = .wait(.tooFewEvents(tries.new.total, of: plan.minimumEvents))
            return
        }
        let refusals = FunctionRolloutReason.Refusals(
            rate: tries.new.rate, events: tries.new.total, before: tries.before.rate)
        let allowed = tries.before.rate + plan.maximumRefusals
        if tries.new.lowestRate > allowed {
            self = .rollBack(.refused(refusals))
        } else if tries.new.rate > allowed {
            self = .wait(.doubt(refusals))
        } else if progress.held < plan.hold {
            self = .wait(.holding(rest: plan.hold - progress.held))
        } else {
            self = Self.next(plan, progress)
        }
    }

    /// The step to the next stage, without regard to attempts.
    static func next(_ plan: FunctionRolloutPlan, _ progress: RolloutProgress) -> FunctionRolloutDecision {
        let next = progress.stage + 1
        return next < plan.stages.count ? .advance(to: plan.stages[next]) : .finish
    }

    /// Why it is decided so.
    var reason: FunctionRolloutReason {
        switch self {
        case .wait(let reason), .rollBack(let reason): reason
        case .advance, .finish: .healthy
        }
    }
}

/// Why a roll-out of a destination function is decided as it is.
enum FunctionRolloutReason: Sendable, Equatable {
    /// How many of the events of a stage were refused.
    struct Refusals: Sendable, Equatable {
        let rate: Double
        let events: Int64
        /// The share by the version before.
        let before: Double

        fileprivate var text: String {
            "\(Self.text(rate)) of \(events) events are refused, by the version before \(Self.text(before))"
        }

        /// In percent with one digit.
        private static func text(_ rate: Double) -> String {
            let tenths = Int((rate * 1000).rounded())
            return "\(tenths / 10).\(tenths % 10) %"
        }
    }

    case tooFewEvents(Int64, of: Int64)
    /// The stage has not lasted long enough; the rest is in milliseconds.
    case holding(rest: Int64)
    /// More events are refused than allowed, but so few that it may be chance.
    case doubt(Refusals)
    case refused(Refusals)
    case healthy

    /// The reason as a sentence without its end.
    var text: String {
        switch self {
        case .tooFewEvents(let count, let minimum): "\(count) of at least \(minimum) events were tried in this stage"
        case .holding(let rest): "the stage lasts \((rest + 59_999) / 60_000) min longer"
        case .doubt(let refusals): "\(refusals.text); it may be chance, so the stage waits for more events"
        case .refused(let refusals): refusals.text
        case .healthy: "no more events are refused than the plan allows"
        }
    }
}
