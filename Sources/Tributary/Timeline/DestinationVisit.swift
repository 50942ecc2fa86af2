import TributaryJSON

/// The result of an event at a destination on the device, with the steps of the plugins in its timeline.
struct DestinationVisit {
    enum End {
        /// The destination accepted the event.
        case delivered
        /// The destination refused the event.
        case refused
        /// A plugin of the destination's timeline dropped the event.
        case stopped(by: String)
        /// A script dropped the event, and it was counted there.
        case stoppedByScript
    }

    /// The step of one plugin.
    struct Step {
        let stage: Stage
        let plugin: String
        let before: JSONObject
        let after: JSONObject?
    }

    var end = End.delivered
    /// The event after the `after` plugins, for the scripts that get it next; nil when there are no such scripts, or when
    /// a plugin dropped it.
    var afterPlugins: (any RawEvent)?
    /// Empty unless the event is traced.
    var steps: [Step] = []

    /// Records the steps of the plugins of these stages.
    func note(_ stages: Stage..., in recorder: StageRecorder?, _ key: String) {
        guard let recorder else { return }
        for step in steps where stages.contains(step.stage) {
            recorder.record(step.stage, step.plugin, destination: key, before: step.before, after: step.after)
        }
    }
}
