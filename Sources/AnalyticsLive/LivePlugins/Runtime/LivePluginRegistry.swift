/// The live plugins of a runtime, and for each stage the events that any of them handles.
struct LivePluginRegistry {
    /// In the order in which they were added; their place is their number on the JavaScript side.
    private(set) var all: [LivePluginRegistration] = []
    /// In the client's own timeline.
    private var handled = Places()
    private var handledByDestination: [String: Places] = [:]
    private var heard: LivePluginNotices = []

    /// What is handled in each place of a timeline. Members instead of a dictionary, because each event asks at each
    /// place, mostly in vain.
    private struct Places {
        var before: LivePluginEvents = []
        var enrichment: LivePluginEvents = []
        var after: LivePluginEvents = []

        func events(at type: LivePluginType) -> LivePluginEvents {
            switch type {
            case .before: before
            case .enrichment: enrichment
            case .after: after
            case .utility: []  // gets no events
            }
        }

        mutating func add(_ events: LivePluginEvents, at type: LivePluginType) {
            switch type {
            case .before: before.formUnion(events)
            case .enrichment: enrichment.formUnion(events)
            case .after: after.formUnion(events)
            case .utility: break
            }
        }
    }

    /// Whether a plugin that stands there handles such events.
    func handle(eventType: String, at type: LivePluginType, destination: String?) -> Bool {
        var places = handled
        if let destination {
            guard !handledByDestination.isEmpty, let own = handledByDestination[destination] else { return false }
            places = own
        }
        let events = places.events(at: type)
        return !events.isEmpty && !events.isDisjoint(with: LivePluginEvents(type: eventType))
    }

    /// Whether a plugin stands in that place of a destination's timeline.
    func stand(at type: LivePluginType, destination: String) -> Bool {
        handledByDestination[destination].map { !$0.events(at: type).isEmpty } ?? false
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
        (handled, handledByDestination, heard) = (Places(), [:], [])
        for plugin in all where !plugin.isOff {
            heard.formUnion(plugin.notices)
            let type = plugin.stage.type
            if let destination = plugin.stage.destination {
                handledByDestination[destination, default: Places()].add(plugin.events, at: type)
            } else {
                handled.add(plugin.events, at: type)
            }
        }
    }
}
