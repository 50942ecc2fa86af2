import TributaryJSON

/// An event at a destination on the device: what became of it there, and what the plugins of its timeline did.
struct DestinationVisit {
    enum End {
        /// The destination took the event.
        case delivered
        /// The destination refused it.
        case refused
        /// A plugin of its timeline dropped it.
        case stopped(by: String)
        /// A script did, which is counted already.
        case stoppedByScript
    }

    /// The work of one plugin.
    struct Step {
        let stage: Stage
        let plugin: String
        let before: JSONObject
        let after: JSONObject?
    }

    var end = End.delivered
    /// The event behind the `after` plugins, for the scripts that see it then; nil when there are none, or when a plugin
    /// returned none.
    var afterPlugins: (any RawEvent)?
    /// Empty unless the event is traced.
    var steps: [Step] = []

    /// Records the work of the plugins of these stages.
    func note(_ stages: Stage..., in recorder: StageRecorder?, _ key: String) {
        guard let recorder else { return }
        for step in steps where stages.contains(step.stage) {
            recorder.record(step.stage, step.plugin, destination: key, before: step.before, after: step.after)
        }
    }
}
