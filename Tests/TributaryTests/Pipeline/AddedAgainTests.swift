import Dispatch
import TestSupport
import Testing

@testable import Tributary

@Suite("A plugin that is removed and added again")
struct AddedAgainTests {
    /// The places in which a plugin can be.
    enum Place: CaseIterable, Sendable { case before, enrichment, after, destination, inDestination }

    private final class Listener: EventPlugin {
        let type: PluginType
        weak var analytics: Analytics?
        let seen = LockBox<[String]>([])

        init(_ type: PluginType) { self.type = type }

        func track(event: TrackEvent) -> TrackEvent? {
            seen.withLock { $0.append(event.event) }
            return event
        }
    }

    private final class Destination: DestinationPlugin, EventPlugin {
        let type = PluginType.destination
        let key = "D"
        let timeline = Timeline()
        weak var analytics: Analytics?
        let seen = LockBox<[String]>([])

        func track(event: TrackEvent) -> TrackEvent? {
            seen.withLock { $0.append(event.event) }
            return event
        }
    }

    @Test("It sees the event that is tracked next, also while another plugin works", arguments: Place.allCases)
    func order(place: Place) async {
        let client = Client(settings: ["integrations": ["D": [:]]])
        let (gate, destination) = (EventGate(), Destination())
        let listener = Listener(place == .before ? .before : place == .after ? .after : .enrichment)
        client.analytics.add(plugin: gate)
        client.analytics.add(plugin: destination)
        let add: () -> Void = {
            switch place {
            case .before, .enrichment, .after: client.analytics.add(plugin: listener)
            case .destination: client.analytics.add(plugin: destination)
            case .inDestination: destination.add(plugin: listener)
            }
        }
        let remove: () -> Void = {
            switch place {
            case .before, .enrichment, .after: client.analytics.remove(plugin: listener)
            case .destination: client.analytics.remove(plugin: destination)
            case .inDestination: destination.remove(plugin: listener)
            }
        }
        if place != .destination { add() }
        await client.processed()
        client.analytics.track(name: "Held")
        await Task.detached { gate.arrived.wait() }.value
        client.analytics.track(name: "Between")
        remove()
        add()
        client.analytics.track(name: "Next")
        client.analytics.track(name: "Last")
        gate.opened.signal()
        #expect(await client.flushed() == .sent)
        let seen = place == .destination ? destination.seen.current : listener.seen.current
        #expect(seen.suffix(2) == ["Next", "Last"])
        #expect(client.server.names == ["Held", "Between", "Next", "Last"])
        await client.ended()
    }

    /// Notes the calls that a plugin without events gets.
    private final class Utility: EventPlugin {
        let type = PluginType.utility
        weak var analytics: Analytics?
        let calls = LockBox<[String]>([])

        func configure(analytics: Analytics) {
            self.analytics = analytics
            calls.withLock { $0.append("configure") }
        }
        func reset() { calls.withLock { $0.append("reset") } }
        func shutdown() { calls.withLock { $0.append("shutdown") } }
    }

    @Test("A utility plugin, which gets no events, gets the calls that come next, also while another plugin works")
    func utility() async {
        let client = Client()
        let (gate, utility) = (EventGate(), Utility())
        client.analytics.add(plugin: gate)
        client.analytics.add(plugin: utility)
        await client.processed()
        client.analytics.track(name: "Held")
        await Task.detached { gate.arrived.wait() }.value
        client.analytics.remove(plugin: utility)
        client.analytics.reset()
        client.analytics.add(plugin: utility)
        client.analytics.track(name: "Next")
        client.analytics.reset()
        gate.opened.signal()
        await client.processed()
        #expect(utility.calls.current == ["configure", "shutdown", "configure", "reset"])
        await client.ended()
    }
}
