/// The live plugins of a runtime, and for each stage the events that its plugins handle.
struct LivePluginRegistry {
    /// In the order of adding. The index is the plugin's number on the JavaScript side.
    private(set) var all: [LivePluginRegistration] = []
    /// For the client's own timeline.
    private var handled = Places()
    private var handledByDestination: [String: Places] = [:]
    private var heard: LivePluginNotices = []

    /// The handled events of each place of a timeline. Members in place of a dictionary, because each event looks at
    /// each place, mostly in vain.
    private struct Places {
        var before: LivePluginEvents = []
        var enrichment: LivePluginEvents = []
        var after: LivePluginEvents = []

        func events(at type: LivePluginType) -> LivePluginEvents {
            switch type {
            case .before: before
            case .enrichment: enrichment
            case .after: after
            case .utility: []  // utility plugins get no events
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

    /// Whether a plugin at that place handles such events.
    func handle(eventType: String, at type: LivePluginType, destination: String?) -> Bool {
        var places = handled
        if let destination {
            guard !handledByDestination.isEmpty, let own = handledByDestination[destination] else { return false }
            places = own
        }
        let events = places.events(at: type)
        return !events.isEmpty && !events.isDisjoint(with: LivePluginEvents(type: eventType))
    }

    /// Whether there is a plugin at that place of a destination's timeline.
    func stand(at type: LivePluginType, destination: String) -> Bool {
        handledByDestination[destination].map { !$0.events(at: type).isEmpty } ?? false
    }

    /// Whether a plugin handles one of the notices.
    func hear(_ notices: LivePluginNotices) -> Bool { !heard.isDisjoint(with: notices) }

    mutating func add(_ plugin: LivePluginRegistration) {
        all.append(plugin)
        index()
    }

    /// Switches a plugin off.
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
