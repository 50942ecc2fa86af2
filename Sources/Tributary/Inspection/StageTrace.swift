import TributaryJSON

/// The stages of an event in the client.
package enum Stage: String, Sendable {
    case before, enrichment, filter, destination, after
}

/// The outcome of a stage for an event.
package enum StageOutcome: String, Sendable {
    case unchanged, changed, dropped, failed, delivered
}

/// The work of one plugin on one event.
struct StageStep: Sendable {
    let stage: Stage
    let plugin: String
    let destination: String?
    let outcome: StageOutcome
    let changes: [JSONChange]
    let note: String?
    /// Whether a script did it, as opposed to a plugin of the app.
    let isLive: Bool
    /// Whether the step is one of the library's own, which every event has.
    let isBuiltIn: Bool

    /// - Parameter event: the event before the stages.
    func json(_ scope: TraceScope, of event: JSONObject) -> JSON {
        var object: JSONObject = ["stage": .string(stage.rawValue), "plugin": .string(plugin)]
        if let destination { object["destination"] = .string(destination) }
        if isLive { object["live"] = true }
        if isBuiltIn { object["builtIn"] = true }
        object["outcome"] = .string(outcome.rawValue)
        if !changes.isEmpty { object["changes"] = .array(changes.map { $0.json(scope) }) }
        if let note {
            switch scope {
            case .all: object["note"] = .string(note)
            case .ordered: object["note"] = .string(FaultText.masked(note, event))
            }
        }
        return .object(object)
    }
}

/// The way of one event through the client.
struct StageTrace: Sendable {
    let event: JSONObject
    let trackedAt: String
    var steps: [StageStep]

    /// The trace as JSON. `outcome` says whether the cloud destination accepted the event, or else which stage dropped
    /// it last.
    func json(_ scope: TraceScope) -> JSON {
        var object = JSONObject()
        for key in ["messageId", "type", "event", "name", "userId", "anonymousId"] {
            if let value = event[key] { object[key == "name" ? "event" : key] = value }
        }
        object["trackedAt"] = .string(trackedAt)
        let isSent = steps.contains { $0.outcome == .delivered && $0.destination == ServerDestination.key }
        object["outcome"] = isSent ? "sent" : "dropped"
        if !isSent, let dropSource = steps.last(where: { $0.outcome == .dropped }) {
            var droppedBy: JSONObject = [
                "stage": .string(dropSource.stage.rawValue), "plugin": .string(dropSource.plugin),
            ]
            if let destination = dropSource.destination { droppedBy["destination"] = .string(destination) }
            object["droppedBy"] = .object(droppedBy)
        }
        object["stages"] = .array(steps.map { $0.json(scope, of: event) })
        return .object(object)
    }
}
