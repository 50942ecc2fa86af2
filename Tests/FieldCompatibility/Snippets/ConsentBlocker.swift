import TestSupport
import Testing
import Tributary

/// Keeps events that the user refused from the destination in whose timeline it stands.
private final class Blocker: EventPlugin {
    let type = PluginType.enrichment
    weak var analytics: Analytics?

    func track(event: TrackEvent) -> TrackEvent? {
        event.context?["consent"]?["refused"] == true ? nil : event
    }
}

/// A consent manager as the field writes it: one blocker for each destination, and none where one is already.
private final class ConsentManager: EventPlugin {
    let type = PluginType.before
    weak var analytics: Analytics?

    func update(settings: Settings, type: UpdateType) {
        if let server = analytics?.find(pluginType: SegmentDestination.self),
            server.find(pluginType: Blocker.self) == nil
        {
            _ = server.add(plugin: Blocker())
        }
        // What each destination has is its own affair: one in `Segment.io` is none for the others.
        guard analytics?.find(pluginType: Blocker.self) == nil else { return }
        analytics?.apply { plugin in
            guard let destination = plugin as? DestinationPlugin, destination.key != "Segment.io" else { return }
            if destination.find(pluginType: Blocker.self) == nil { _ = destination.add(plugin: Blocker()) }
        }
    }

    func track(event: TrackEvent) -> TrackEvent? {
        var event = event
        var context = event.context?.dictionaryValue ?? [:]
        context["consent"] = ["refused": event.event.hasPrefix("Refused")]
        event.context = try? JSON(context)
        return event
    }
}

@Suite("A consent plugin that puts a blocker into the timeline of each destination")
struct ConsentBlockerSnippet {
    @Test("A consent plugin keeps refused events from every destination and from the server")
    func refused() async {
        let destinations = ["A", "B", "C"].map { TestDestination($0) }
        let client = Client(settings: ["integrations": ["A": true, "B": true, "C": true, "Segment.io": true]])
        for destination in destinations { client.analytics.add(plugin: destination) }
        client.analytics.add(plugin: ConsentManager())
        for number in 0..<50 {
            client.analytics.track(name: "Refused \(number)")
            client.analytics.track(name: "Allowed \(number)")
        }
        _ = await client.flushed()
        let allowed = (0..<50).map { "Allowed \($0)" }
        for destination in destinations {
            #expect(destination.received.compactMap { ($0 as? TrackEvent)?.event } == allowed)
        }
        #expect(client.server.names == allowed)
    }

    @Test("Later settings add no second blocker to a destination")
    func again() async {
        let destination = TestDestination("A")
        let client = Client(settings: ["integrations": ["A": true, "Segment.io": true]])
        client.analytics.add(plugin: destination)
        client.analytics.add(plugin: ConsentManager())
        await client.processed()
        await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
        client.analytics.track(name: "Refused")
        client.analytics.track(name: "Allowed")
        await client.processed()
        #expect(destination.received.compactMap { ($0 as? TrackEvent)?.event } == ["Allowed"])
        #expect(destination.findAll(pluginType: Blocker.self)?.count == 1)
    }
}
