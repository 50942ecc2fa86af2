import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

@Suite("Live plugins belong to one client")
struct LivePluginOwnerTests {
    private let counting = """
        class Count extends LivePlugin {
            track(event) {
                event.properties.runs = (event.properties.runs ?? 0) + 1
                return event
            }
        }
        analytics.add(new Count(LivePluginType.enrichment))
        """

    @Test("A second LivePlugins on a client is not added and is reported")
    func twice() async {
        let client = Deployment.client(counting)
        client.analytics.add(plugin: LivePlugins(fallbackFileURL: nil))
        client.analytics.track(name: "A", properties: [:])
        await client.flushed()
        #expect(client.server.events.first?["properties"]?["runs"] == 1)
        await client.reported(text: "the client already has such a plugin")
        #expect(client.analytics.findAll(pluginType: LivePlugins.self)?.count == 1)
        await client.ended()
    }

    @Test("A LivePlugins of another client is not added and is reported")
    func shared() async {
        let plugins = LivePlugins(fallbackFileURL: nil)
        let first = Deployment.client(Deployment.stamp(1), plugin: plugins)
        await first.processed()
        let second = Deployment.client(Deployment.stamp(2), plugin: plugins)
        for client in [first, second] {
            client.analytics.track(name: "A")
            await client.flushed()
        }
        #expect(first.bundles == [1])
        #expect(second.bundles == [nil])
        await second.reported(text: "the plugin belongs to another client")
        await first.ended()
        second.analytics.add(plugin: plugins)
        second.analytics.track(name: "B")
        await second.flushed()
        #expect(second.bundles == [nil, 2])
        await second.ended()
    }

    @Test("Destination filters belong to one client, too")
    func filters() async {
        let filters = DestinationFilters()
        let (first, second) = (Client(), Client())
        first.analytics.add(plugin: filters)
        first.analytics.add(plugin: DestinationFilters())
        second.analytics.add(plugin: filters)
        await first.reported(text: "the client already has such a plugin")
        await second.reported(text: "the plugin belongs to another client")
        #expect(second.analytics.find(pluginType: DestinationFilters.self) == nil)
        await first.ended()
        await second.ended()
    }

    @Test("Live plugins that were removed can be added to another client")
    func removed() async {
        let filters = DestinationFilters()
        let (first, second) = (Client(), Client())
        first.analytics.add(plugin: filters)
        first.analytics.remove(plugin: filters)
        await first.executed()
        second.analytics.add(plugin: filters)
        #expect(second.analytics.find(pluginType: DestinationFilters.self) === filters)
        await first.ended()
        await second.ended()
    }

    @Test("A script that stores too much gets an error, the old value stays, and a diagnostic reports it")
    func storageLimit() async {
        let client = Deployment.client(
            """
            class Hoard extends LivePlugin {
                track(event) {
                    storage.setValue("a", 1)
                    try { storage.setValue("a", "x".repeat(300000)) } catch (error) { event.properties.error = error.message }
                    event.properties.a = storage.getValue("a")
                    return event
                }
            }
            analytics.add(new Hoard(LivePluginType.enrichment))
            """, plugin: LivePlugins(fallbackFileURL: nil, budget: LivePluginBudget(eventSeconds: 10)))
        client.analytics.track(name: "A", properties: [:])
        await client.flushed()
        let properties = client.server.events.first?["properties"]
        #expect(properties?["error"] == "'a' is not stored: scripts may store 262144 bytes together")
        #expect(properties?["a"] == 1)
        await client.reported(text: "a script cannot store 'a'")
        await client.ended()
    }

    @Test("The error handler gets an error of a script, and is not called when a version runs")
    func errorHandler() async {
        let errors = LockBox<[String]>([])
        let client = Deployment.client(
            """
            class Bad extends LivePlugin { track(event) { throw new Error("bad") } }
            analytics.add(new Bad(LivePluginType.enrichment))
            """
        ) { $0.errorHandler { error in errors.withLock { $0.append("\(error)") } } }
        client.analytics.track(name: "A")
        await client.flushed()
        await client.reported(.pluginFault, count: 1)
        #expect(client.diagnostics.all(.livePlugins).map(\.message) == ["version 1 runs: Bad"])
        let told = errors.withLock { $0 }
        #expect(told.count == 1 && told.first?.contains("bad") == true)
        await client.ended()
    }
}
