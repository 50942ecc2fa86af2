import TributaryJSON
import WorkspaceCore

/// New settings of a destination function that send the events of a part of the users, while the settings before send those
/// of all others. A destination keeps its newest one.
struct FunctionRollout: Sendable, Equatable {
    typealias State = RolloutRecord.State

    /// How a forwarder divides the events while a roll-out is open.
    struct Split: Sendable, Equatable {
        /// The new settings send the events of these users.
        let share: PartitionShare
        /// The settings that send all other events.
        let before: JSONObject
    }

    /// The versions of the function: the new version and the version before it.
    let version: Int64
    let previous: Int64
    let plan: FunctionRolloutPlan
    let startedAt: Int64
    private(set) var state = State.running
    private(set) var progress: RolloutProgress
    /// The reason for its state, in words.
    private(set) var reason = "it has begun"
    /// The settings of the version before; empty when the roll-out is over.
    private(set) var before: JSONObject

    init(version: Int64, previous: Int64, before: JSONObject, plan: FunctionRolloutPlan, now: Int64) {
        (self.version, self.previous, self.before, self.plan) = (version, previous, before, plan)
        startedAt = now
        progress = RolloutProgress(start: now)
    }

    var isOpen: Bool { state == .running || state == .paused }

    /// The new settings send the events of this share of the users.
    var percentage: Int { plan.stages[min(max(0, progress.stage), plan.stages.count - 1)] }

    /// Nil when the roll-out is over.
    var split: Split? {
        isOpen ? Split(share: PartitionShare(percentage: percentage), before: before) : nil
    }

    /// Whether a decision about the other one is a decision about this one, too.
    func isSameStep(as other: FunctionRollout) -> Bool {
        startedAt == other.startedAt && state == other.state && progress.stage == other.progress.stage
    }

    /// Decides the next step by the attempts. The decision is carried out with `carryOut`; nil when nothing is to be done.
    mutating func look(at now: Int64, _ tries: FunctionTries) -> FunctionRolloutDecision? {
        guard state == .running else { return nil }
        progress.look(at: now)
        let decision = FunctionRolloutDecision(plan: plan, progress: progress, tries: tries)
        reason = decision.reason.text
        if case .wait = decision { return nil }
        return decision
    }

    /// Carries out a decision of the workspace, or of an operator who gives a reason.
    mutating func carryOut(_ decision: FunctionRolloutDecision, because reason: String? = nil) {
        switch decision {
        case .wait: break
        case .advance: progress.advance()
        case .finish: end(.finished)
        case .rollBack: end(reason == nil ? .rolledBack : .ended)
        }
        self.reason = reason ?? decision.reason.text
    }

    mutating func pause() { (state, reason) = (.paused, "an operator paused it") }

    mutating func resume(at now: Int64) {
        progress.skip(to: now)
        (state, reason) = (.running, "an operator resumed it")
    }

    private mutating func end(_ state: State) { (self.state, before) = (state, [:]) }
}

extension FunctionRollout {
    /// The roll-out as it is stored, without the settings of the version before.
    var json: JSON {
        [
            "version": .number(version), "previous": .number(previous), "plan": plan.json,
            "startedAt": .number(startedAt), "state": .string(state.rawValue), "stage": .number(progress.stage),
            "held": .number(progress.held), "lookedAt": .number(progress.lookedAt), "reason": .string(reason),
        ]
    }

    /// A stored roll-out; nil when it makes no sense.
    /// - Parameter before: the settings of the version before.
    init?(_ json: JSON, before: JSONObject) {
        guard let version = json["version"]?.numberValue?.int64, let previous = json["previous"]?.numberValue?.int64,
            let startedAt = json["startedAt"]?.numberValue?.int64, let plan = json["plan"],
            let state = json["state"]?.stringValue.flatMap(State.init)
        else { return nil }
        do throws(Refusal) {
            self.init(
                version: version, previous: previous, before: before, plan: try FunctionRolloutPlan(plan),
                now: startedAt)
        } catch {
            return nil
        }
        self.state = state
        progress = RolloutProgress(
            stage: json["stage"]?.intValue ?? 0, held: json["held"]?.numberValue?.int64 ?? 0,
            lookedAt: json["lookedAt"]?.numberValue?.int64 ?? startedAt)
        reason = json["reason"]?.stringValue ?? ""
    }

    /// The roll-out as the administration shows it.
    func summary(_ tries: FunctionTries) -> JSON {
        [
            "version": .number(version), "previous": .number(previous), "state": .string(state.rawValue),
            "stage": .number(progress.stage + 1), "percentage": .number(percentage),
            "heldSeconds": .number(progress.held / 1000), "startedAt": .time(startedAt), "reason": .string(reason),
            "plan": plan.json, "tried": tries.new.json, "triedBefore": tries.before.json,
        ]
    }
}

extension FunctionTries.Count {
    fileprivate var json: JSON { ["accepted": .number(accepted), "refused": .number(refused)] }
}
