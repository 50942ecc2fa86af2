/// The live plugins of a runtime, and for each stage the events that any of them handles.
struct LivePluginRegistry {
    /// In the order in which they were added; their place is their number on the JavaScript side.
    private(set) var all: [LivePluginRegistration] = []
    private var handled: [LivePluginStage: LivePluginEvents] = [:]
    private var heard: LivePluginNotices = []

    /// Whether a plugin of the stage handles such events.
    func handle(_ events: LivePluginEvents, at stage: LivePluginStage) -> Bool {
        handled[stage]?.isDisjoint(with: events) == false
    }

    /// Whether a plugin wants to be told.
    func hear(_ notices: LivePluginNotices) -> Bool { !heard.isDisjoint(with: notices) }

    mutating func add(_ plugin: LivePluginRegistration) {
        all.append(plugin)
        index()
    }

    /// Leaves a plugin out from now on.
    mutating func switchOff(_ number: Int) {
        guard all.indices.contains(number) else { return }
        all[number].isOff = true
        index()
    }

    private mutating func index() {
        handled = [:]
        heard = []
        for plugin in all where !plugin.isOff {
            heard.formUnion(plugin.notices)
            // Utility plugins get no events.
            if plugin.stage.type != .utility { handled[plugin.stage, default: []].formUnion(plugin.events) }
        }
    }
}
