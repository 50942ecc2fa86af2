import TributaryJSON

/// Records what each stage does to one event.
final class StageRecorder: Sendable {
    /// Whether the trace goes to the server, as opposed to observers in the app alone.
    let isSent: Bool
    private let recorded = LockBox<[StageStep]>([])

    init(isSent: Bool) { self.isSent = isSent }

    var steps: [StageStep] { recorded.current }

    func record(
        _ stage: Stage, _ plugin: String, destination: String?, before: JSONObject, after: JSONObject?,
        note: String? = nil, isBuiltIn: Bool = false
    ) {
        let changes = after.map { JSONChange.between(before, $0) } ?? []
        let outcome: StageOutcome = after == nil ? .dropped : changes.isEmpty ? .unchanged : .changed
        append(stage, plugin, destination, outcome, changes, note, isBuiltIn: isBuiltIn)
    }

    /// Records the steps of a plugin host. The changes of all its plugins are listed at the last step that changed
    /// something.
    func record(
        _ stage: Stage, _ steps: [HostedStep], destination: String?, before: JSONObject, after: JSONObject?
    ) {
        let changes = after.map { JSONChange.between(before, $0) } ?? []
        let lastChanger = steps.lastIndex { $0.outcome == .changed }
        for (index, step) in steps.enumerated() {
            append(
                stage, step.plugin, destination, step.outcome, index == lastChanger ? changes : [], step.note,
                isLive: true)
        }
    }

    func recordDelivery(to key: String, plugin: String, accepted: Bool) {
        append(.destination, plugin, key, accepted ? .delivered : .dropped, [], nil)
    }

    private func append(
        _ stage: Stage, _ plugin: String, _ destination: String?, _ outcome: StageOutcome, _ changes: [JSONChange],
        _ note: String?, isLive: Bool = false, isBuiltIn: Bool = false
    ) {
        let step = StageStep(
            stage: stage, plugin: plugin, destination: destination, outcome: outcome, changes: changes, note: note,
            isLive: isLive, isBuiltIn: isBuiltIn)
        recorded.withLock { $0.append(step) }
    }
}
