/// A roll-out with a plan, as it is stored. Of each source the newest one is kept.
struct RolloutRecord: Sendable, Equatable {
    enum State: String, Sendable {
        /// The workspace moves it from stage to stage.
        case running
        /// Somebody stopped it for now: the stage stays as it is.
        case paused
        /// All devices have the version.
        case finished
        /// The version was worse, and the workspace took it back.
        case rolledBack
        /// Somebody deployed, rolled back or switched off by hand.
        case ended
    }

    let source: Int64
    let version: Int64
    /// The version for all devices when it began; nil when there was none.
    let previous: Int64?
    let plan: RolloutPlan
    let startedAt: Int64
    private(set) var state = State.running
    private(set) var progress: RolloutProgress
    /// Whether it waits for somebody to look.
    private(set) var isDoubtful = false
    /// Why it is as it is, in words.
    private(set) var reason: String

    var isOpen: Bool { state == .running || state == .paused }

    /// The share of devices that has the version.
    var percentage: Int { plan.stages[min(max(0, progress.stage), plan.stages.count - 1)] }

    /// Begins a roll-out.
    init(source: Int64, version: Int64, previous: Int64?, plan: RolloutPlan, now: Int64) {
        self.source = source
        self.version = version
        self.previous = previous
        self.plan = plan
        startedAt = now
        progress = RolloutProgress(start: now)
        reason = "it has begun"
    }

    /// A stored roll-out.
    init(
        source: Int64, version: Int64, previous: Int64?, plan: RolloutPlan, startedAt: Int64, state: State,
        progress: RolloutProgress, reason: String, isDoubtful: Bool
    ) {
        self.init(source: source, version: version, previous: previous, plan: plan, now: startedAt)
        self.state = state
        self.progress = progress
        self.reason = reason
        self.isDoubtful = isDoubtful
    }

    /// Looks at what was reported and decides what is next. The decision is carried out with `carryOut`.
    mutating func look(at now: Int64, version: HealthSample, before: HealthSample?) -> RolloutDecision {
        guard state == .running else {
            progress.skip(to: now)
            return .wait(.paused)
        }
        progress.look(at: now)
        let decision = RolloutDecision(plan: plan, progress: progress, version: version, before: before)
        reason = decision.reason.text
        if case .wait(.doubt) = decision { isDoubtful = true } else { isDoubtful = false }
        return decision
    }

    /// Carries a decision out, which is the workspace's or somebody's.
    mutating func carryOut(_ decision: RolloutDecision, because reason: String? = nil) {
        switch decision {
        case .wait: break
        case .advance: progress.advance()
        case .finish: state = .finished
        case .rollBack: state = .rolledBack
        }
        self.reason = reason ?? decision.reason.text
    }

    /// The next stage, whatever the reports say.
    var next: RolloutDecision {
        let next = progress.stage + 1
        return next < plan.stages.count ? .advance(to: plan.stages[next]) : .finish
    }

    mutating func pause() { (state, reason) = (.paused, "somebody paused it") }

    mutating func resume(at now: Int64) {
        progress.skip(to: now)
        (state, reason) = (.running, "somebody resumed it")
    }

    mutating func end(because reason: String) { (state, self.reason) = (.ended, reason) }
}
