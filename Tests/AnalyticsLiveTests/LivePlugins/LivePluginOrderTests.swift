import Dispatch
import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

/// The order of calls is the order of their effects, also for live plugins and filters.
@Suite("Live plugins that are removed and added again")
struct LivePluginOrderTests {
    /// Holds the processing of one event.
    private final class Gate: EventPlugin {
        let type = PluginType.before
        weak var analytics: Analytics?
        let arrived = DispatchSemaphore(value: 0)
        let opened = DispatchSemaphore(value: 0)

        func track(event: TrackEvent) -> TrackEvent? {
            if event.event == "Held" {
                arrived.signal()
                opened.wait()
            }
            return event
        }
    }

    /// What happens while a `before` plugin works on an earlier event.
    private func whileHeld(_ client: Client, _ gate: Gate, _ change: () -> Void) async {
        let arrived = gate.arrived
        client.analytics.track(name: "Held")
        await Task.detached { arrived.wait() }.value
        change()
        client.analytics.track(name: "Next")
        client.analytics.track(name: "Last")
        gate.opened.signal()
        #expect(await client.flushed() == .sent)
    }

    @Test("Scripts see no event that is tracked after their plugin was removed")
    func removed() async {
        let plugins = LivePlugins(fallbackFileURL: nil)
        let gate = Gate()
        let client = Deployment.client(Deployment.stamp(1), plugin: plugins)
        client.analytics.add(plugin: gate)
        client.analytics.track(name: "First")
        await client.flushed()
        await whileHeld(client, gate) { client.analytics.remove(plugin: plugins) }
        #expect(client.bundles.suffix(2) == [nil, nil])
        await client.ended()
    }

    @Test("Destination filters apply to the event that is tracked next, also while another plugin works")
    func filters() async {
        let filters = DestinationFilters()
        let gate = Gate()
        let client = Client(settings: [
            "integrations": ["Segment.io": [:]],
            "middlewareSettings": [
                "routingRules": [
                    [
                        "matchers": [["ir": "[\"=\",\"event\",{\"value\":\"Next\"}]", "type": "fql"]],
                        "scope": "destinations", "target_type": "workspace::project::destination::config",
                        "transformers": [[["type": "drop"]]], "destinationName": "Segment.io",
                    ]
                ]
            ],
        ])
        client.analytics.add(plugin: filters)
        client.analytics.add(plugin: gate)
        await client.processed()
        await whileHeld(client, gate) {
            client.analytics.remove(plugin: filters)
            client.analytics.add(plugin: filters)
        }
        #expect(client.server.names == ["Held", "Last"])
        await client.ended()
    }
}
