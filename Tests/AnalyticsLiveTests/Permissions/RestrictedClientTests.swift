import Foundation
import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

@Suite("A client that restricts its scripts") struct RestrictedClientTests {
    private let script = """
        class Fix extends LivePlugin {
            track(event) {
                event.event = "Renamed"
                event.properties.price = 1
                return event
            }
        }
        analytics.add(new Fix(LivePluginType.enrichment, null))
        """

    @Test("Events arrive without the changes that the app does not allow, and a version reports each such change once")
    func refusal() async {
        let client = Deployment.client(script, plugin: LivePlugins(allow: [.change("properties.price")]))
        for _ in 0..<3 { client.analytics.track(name: "Order", properties: ["price": 2, "mail": "ada@example.com"]) }
        await client.flushed()
        await client.reported(.pluginFault, count: 1)
        #expect(client.server.events.map { $0["event"] } == ["Order", "Order", "Order"])
        #expect(client.server.events.allSatisfy { $0["properties"] == ["price": 1, "mail": "ada@example.com"] })
        let faults = client.diagnostics.all(.pluginFault)
        #expect(faults.count == 1)
        #expect(faults.first?.plugin == "Fix")
        #expect(faults.first?.message == "the app does not allow scripts to change event; this was undone")
    }

    @Test("The fallback script has the permissions of the app, too") func fallback() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("fallback.js")
        try Data(script.utf8).write(to: file)
        let client = Deployment.client(
            "", status: 404, plugin: LivePlugins(fallbackFileURL: file, allow: [.rename]))
        client.analytics.track(name: "Order", properties: ["price": 2])
        await client.flushed()
        #expect(client.server.events.first?["event"] == "Renamed")
        #expect(client.server.events.first?["properties"] == ["price": 2])
    }

    private let generator = """
        function processSignal(signal) { if (signal.type === SignalType.Navigation) { analytics.track("First Screen") } }
        """

    @Test("Signals do not reach the scripts of an app that does not allow it, and a diagnostic says so")
    func noSignals() async {
        let world = SignalWorld(generator, livePlugins: LivePlugins(allow: [.emit()]))
        world.signals.emit(NavigationSignal(action: .entering, screen: "Home"))
        #expect(await world.events().isEmpty)
        #expect(world.client.liveMessages.contains { $0.contains("the app does not allow scripts to get signals") })
    }

    @Test("Signals reach the scripts of an app that allows it") func signals() async {
        let world = SignalWorld(generator, livePlugins: LivePlugins(allow: [.emit("First*"), .readSignals]))
        world.signals.emit(NavigationSignal(action: .entering, screen: "Home"))
        #expect(await world.events().map { $0["event"] } == ["First Screen"])
    }
}
