import Tributary

/// A plugin that looks at no event: what it costs is what having a plugin costs.
final class IdlePlugin: Plugin {
    let type: PluginType
    let name: String
    weak var analytics: Analytics?

    init(_ type: PluginType, _ number: Int) {
        self.type = type
        name = "Idle \(number)"
    }

    func execute(event: BaseEvent) -> BaseEvent? { event }
}

/// The same for the form that has a function for each type of event.
final class IdleEventPlugin: EventPlugin {
    let type: PluginType
    let name: String
    weak var analytics: Analytics?

    init(_ type: PluginType, _ number: Int) {
        self.type = type
        name = "Idle events \(number)"
    }

    func track(event: TrackEvent) -> TrackEvent? { event }
}

/// A destination that takes events and does nothing with them.
final class IdleDestination: DestinationPlugin {
    let type = PluginType.destination
    let timeline = Timeline()
    let name: String
    weak var analytics: Analytics?

    init(_ number: Int) { name = "Destination \(number)" }
}
