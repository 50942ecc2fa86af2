/// A roll-out with a plan, as it is stored. Of each source and kind the newest one is kept.
package struct RolloutRecord: Sendable, Equatable {
    package enum State: String, Sendable {
        /// The workspace moves it from stage to stage.
        case running
        /// An operator stopped it for now: the stage stays as it is.
        case paused
        /// All devices have the version; a destination function sends the events of all users by it.
        case finished
        /// The version was worse, and the workspace took it back.
        case rolledBack
        /// An operator deployed, rolled back or switched off by hand.
        case ended
    }

    package let source: Int64
    package let kind: RolloutKind
    package let version: Int64
    /// The version for all devices when it began; nil when there was none. Filters have version 0 then, without rules.
    package let previous: Int64?
    package let plan: RolloutPlan
    package let startedAt: Int64
    /// How an operator expects that a shadow differs from the version before.
    package private(set) var announced: [AnnouncedDifference]
    package private(set) var state = State.running
    package private(set) var progress: RolloutProgress
    /// How often the reports were dropped because they could no longer be compared.
    package private(set) var comparison = 0
    /// Whether no device can report the version before any more, and its reports were dropped. Then only faults decide.
    private(set) var isAlone = false
    /// Whether it waits for an operator.
    package private(set) var isDoubtful = false
    /// The reason for its state, in words.
    package private(set) var reason: String

    package var isOpen: Bool { state == .running || state == .paused }

    /// The share of devices that has the version.
    package var percentage: Int {
        progress.isShadow ? 0 : plan.stages[min(max(0, progress.stage), plan.stages.count - 1)]
    }

    /// Begins a roll-out.
    package init(
        source: Int64, kind: RolloutKind, version: Int64, previous: Int64?, plan: RolloutPlan,
        announced: [AnnouncedDifference] = [], now: Int64
    ) {
        self.announced = announced
        (self.source, self.kind, self.version, self.previous, self.plan) = (source, kind, version, previous, plan)
        startedAt = now
        progress = RolloutProgress(start: now, isShadow: plan.shadow != nil)
        reason = "it has begun"
    }

    /// A stored roll-out.
    package init(
        source: Int64, kind: RolloutKind, version: Int64, previous: Int64?, plan: RolloutPlan, startedAt: Int64,
        state: State, progress: RolloutProgress, reason: String, isDoubtful: Bool, comparison: Int,
        isAlone: Bool, announced: [AnnouncedDifference] = []
    ) {
        self.init(
            source: source, kind: kind, version: version, previous: previous, plan: plan, announced: announced,
            now: startedAt)
        (self.state, self.progress, self.reason) = (state, progress, reason)
        (self.isDoubtful, self.comparison, self.isAlone) = (isDoubtful, comparison, isAlone)
    }

    /// Whether a decision about the other one is a decision about this one, too.
    func isSameStep(as other: RolloutRecord) -> Bool {
        version == other.version && state == other.state && progress.stage == other.progress.stage
            && progress.isShadow == other.progress.isShadow && announced == other.announced
            && comparison == other.comparison
    }

    /// Decides the next step from the reports. The decision is carried out with `carryOut`.
    package mutating func look(at now: Int64, version: HealthSample, before: HealthSample?) -> RolloutDecision {
        guard state == .running else {
            progress.skip(to: now)
            return .wait(.paused)
        }
        progress.look(at: now)
        let decision =
            progress.isShadow
            ? RolloutDecision(
                shadowOf: plan, announced: announced, progress: progress, version: version, before: before)
            : RolloutDecision(plan: plan, progress: progress, version: version, before: before)
        reason = decision.reason.text
        isDoubtful = decision.needsOperator
        return decision
    }

    /// Carries out a decision of the workspace or of an operator.
    package mutating func carryOut(_ decision: RolloutDecision, because reason: String? = nil) {
        switch decision {
        case .wait: break
        case .advance:
            // Reports about the shadow say nothing about the stages after it.
            if progress.isShadow { comparison += 1 }
            progress.advance()
        case .finish: state = .finished
        case .rollBack: state = .rolledBack
        }
        self.reason = reason ?? decision.reason.text
    }

    /// The step to the next stage, without regard to the reports.
    package var next: RolloutDecision {
        let next = progress.isShadow ? 0 : progress.stage + 1
        return next < plan.stages.count ? .advance(to: plan.stages[next]) : .finish
    }

    /// Sets how an operator expects that the shadow differs.
    package mutating func announce(_ differences: [AnnouncedDifference]) {
        (announced, isDoubtful, reason) = (differences, false, "an operator has announced its differences")
    }

    package mutating func pause() { (state, reason) = (.paused, "an operator paused it") }

    package mutating func resume(at now: Int64) {
        progress.skip(to: now)
        (state, reason) = (.running, "an operator resumed it")
    }

    /// The present stage begins again, with new reports.
    mutating func compareAgain(now: Int64) {
        comparison += 1
        isAlone = percentage == 100
        progress.beginAgain(at: now)
        (isDoubtful, reason) = (false, "the stage began again, because all devices got other live plugins")
    }

    package mutating func end(because reason: String) { (state, self.reason) = (.ended, reason) }
}
