package import Tributary

/// Notes what it sees, and does what a test says, in the untyped form of the plugin documentation.
///
/// Unchecked because only called on the client's executor; tests read it after a barrier.
package final class Recorder: Plugin, @unchecked Sendable {
    package let type: PluginType
    package let name: String
    package weak var analytics: Analytics?
    package private(set) var seen: [any RawEvent] = []
    package private(set) var updates: [UpdateType] = []
    package private(set) var isShutDown = false
    private let body: (any RawEvent) -> (any RawEvent)?

    package init(
        _ type: PluginType = .enrichment, name: String = "Recorder",
        _ body: @escaping (any RawEvent) -> (any RawEvent)? = { $0 }
    ) {
        self.type = type
        self.name = name
        self.body = body
    }

    package func update(settings: Settings, type: UpdateType) { updates.append(type) }

    package func execute(event: BaseEvent) -> BaseEvent? {
        seen.append(event)
        return body(event)
    }

    package func shutdown() { isShutDown = true }
}

/// A destination that notes what reaches it.
///
/// Unchecked because only called on its own queue; tests read it when destinations have dealt with everything.
package final class TestDestination: DestinationPlugin, @unchecked Sendable {
    package let type = PluginType.destination
    package let name: String
    package let timeline = Timeline()
    package weak var analytics: Analytics?
    package private(set) var received: [any RawEvent] = []
    package private(set) var resets = 0
    package private(set) var flushes = 0

    package init(_ name: String) { self.name = name }

    package func track(event: TrackEvent) -> TrackEvent? { keep(event) }
    package func identify(event: IdentifyEvent) -> IdentifyEvent? { keep(event) }
    package func screen(event: ScreenEvent) -> ScreenEvent? { keep(event) }
    package func group(event: GroupEvent) -> GroupEvent? { keep(event) }
    package func alias(event: AliasEvent) -> AliasEvent? { keep(event) }
    package func reset() { resets += 1 }
    package func flush() { flushes += 1 }

    private func keep<Event: RawEvent>(_ event: Event) -> Event {
        received.append(event)
        return event
    }
}
