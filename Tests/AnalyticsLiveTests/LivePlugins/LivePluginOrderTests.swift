import Dispatch
import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

/// The order of calls is the order of their effects, also for live plugins and filters.
@Suite("Live plugins that are removed and added again")
struct LivePluginOrderTests {
    /// What happens while a `before` plugin works on an earlier event.
    private func whileHeld(_ client: Client, _ gate: EventGate, _ change: () -> Void) async {
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
        let gate = EventGate()
        let client = Deployment.client(Deployment.stamp(1), plugin: plugins)
        client.analytics.add(plugin: gate)
        client.analytics.track(name: "First")
        await client.flushed()
        await whileHeld(client, gate) { client.analytics.remove(plugin: plugins) }
        #expect(client.bundles.suffix(2) == [nil, nil])
        await client.ended()
    }

    @Test(
        "Scripts see the event that is tracked after their plugin was added, also while another plugin works",
        arguments: [false, true])
    func added(isAgain: Bool) async {
        let plugins = LivePlugins(fallbackFileURL: nil)
        let gate = EventGate()
        let server = TestServer()
        server.answerSettings(Deployment.settings(version: 1))
        server.answerBundle(Deployment.stamp(1))
        let client = Client(server: server)
        if isAgain { client.analytics.add(plugin: plugins) }
        client.analytics.add(plugin: gate)
        client.analytics.track(name: "First")
        await client.flushed()
        await whileHeld(client, gate) {
            client.analytics.track(name: "Between")
            if isAgain { client.analytics.remove(plugin: plugins) }
            client.analytics.add(plugin: plugins)
        }
        #expect(client.server.names == ["First", "Held", "Between", "Next", "Last"])
        #expect(client.bundles.suffix(2) == [1, 1])
        await client.ended()
    }

    /// A script that makes an event of each interaction.
    private static let generator = """
        function processSignal(signal) {
            if (signal.type === SignalType.Interaction) analytics.track("Tap " + signal.data.title)
        }
        """

    @Test("Generators get the signals that are emitted after their plugin was added again")
    func generators() async {
        let plugins = LivePlugins(fallbackFileURL: nil)
        let world = SignalWorld(Self.generator, livePlugins: plugins)
        await world.settled()
        let gate = EventGate()
        world.client.analytics.add(plugin: gate)
        await whileHeld(world.client, gate) {
            world.client.analytics.remove(plugin: plugins)
            world.client.analytics.add(plugin: plugins)
            world.signals.emit(InteractionSignal(component: "button", title: "Next"))
        }
        let names = await world.events().compactMap { $0["event"]?.stringValue }
        #expect(Set(names) == ["Held", "Next", "Last", "Tap Next"] && names.count == 4)
        await world.client.ended()
    }

    #if os(Linux)
    @Test("The event after one at which scripts are stopped goes through the version that takes over")
    func takenOver() async throws {
        let folder = try TemporaryFolder()
        let gate = EventGate()
        let plugins = LivePlugins(fallbackFileURL: nil, budget: LivePluginBudget(eventSeconds: 60, megabytes: 24))
        let client = Deployment.client(Deployment.stamp(1), plugin: plugins, folder: folder.url)
        client.analytics.add(plugin: gate)
        client.analytics.track(name: "First")
        await client.flushed()
        await client.deploy(
            version: 2,
            """
            globalThis.all = []
            class Hoard extends LivePlugin {
                track(event) { if (event.event === "Hoard") for (;;) all.push({ a: 1, b: 2 }); return event }
            }
            analytics.add(new Hoard(LivePluginType.enrichment))
            """)
        await whileHeld(client, gate) { client.analytics.track(name: "Hoard") }
        await client.reported(text: "version 2 is in quarantine")
        #expect(client.server.names == ["First", "Held", "Hoard", "Next", "Last"])
        #expect(client.bundles.suffix(2) == [1, 1])
        await client.ended()
    }
    #endif

    @Test(
        "Scripts that are loaded again after a refusal of consent see the event that is tracked after the next consent")
    func forgotten() async {
        let gate = EventGate()
        let client = Deployment.client(Deployment.stamp(1))
        client.analytics.add(plugin: gate)
        client.analytics.track(name: "First")
        await client.flushed()
        await whileHeld(client, gate) {
            client.analytics.setConsent(.denied)
            client.analytics.setConsent(.granted)
        }
        #expect(client.server.names.suffix(2) == ["Next", "Last"])
        #expect(client.bundles.suffix(2) == [1, 1])
        await client.ended()
    }

    @Test("Destination filters apply to the event that is tracked next, also while another plugin works")
    func filters() async {
        let filters = DestinationFilters()
        let gate = EventGate()
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
