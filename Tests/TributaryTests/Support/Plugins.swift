@testable import Tributary

/// Notes what it sees, and does what a test says, in the untyped form of the plugin documentation.
// Only called on the client's executor; tests read it after a barrier.
final class Recorder: Plugin, @unchecked Sendable {
    let type: PluginType
    let name: String
    weak var analytics: Analytics?
    private(set) var seen: [any RawEvent] = []
    private(set) var updates: [UpdateType] = []
    private(set) var isShutDown = false
    private let body: (any RawEvent) -> (any RawEvent)?

    init(
        _ type: PluginType = .enrichment, name: String = "Recorder",
        _ body: @escaping (any RawEvent) -> (any RawEvent)? = { $0 }
    ) {
        self.type = type
        self.name = name
        self.body = body
    }

    func update(settings: Settings, type: UpdateType) { updates.append(type) }

    func execute(event: BaseEvent) -> BaseEvent? {
        seen.append(event)
        return body(event)
    }

    func shutdown() { isShutDown = true }
}

/// A destination that notes what reaches it.
// Only called on the client's executor; tests read it after a barrier.
final class TestDestination: DestinationPlugin, @unchecked Sendable {
    let type = PluginType.destination
    let name: String
    let timeline = Timeline()
    weak var analytics: Analytics?
    private(set) var received: [any RawEvent] = []
    private(set) var resets = 0
    private(set) var flushes = 0

    init(_ name: String) { self.name = name }

    func track(event: TrackEvent) -> TrackEvent? { keep(event) }
    func identify(event: IdentifyEvent) -> IdentifyEvent? { keep(event) }
    func screen(event: ScreenEvent) -> ScreenEvent? { keep(event) }
    func group(event: GroupEvent) -> GroupEvent? { keep(event) }
    func alias(event: AliasEvent) -> AliasEvent? { keep(event) }
    func reset() { resets += 1 }
    func flush() { flushes += 1 }

    private func keep<Event: RawEvent>(_ event: Event) -> Event {
        received.append(event)
        return event
    }
}
