import AnalyticsLive
import Foundation
import TestSupport
import Testing
import Tributary

@Suite("A script that adds to the context of each event")
struct ContextEnricherScriptSnippet {
    private func events(_ body: String) async throws -> (events: [JSON], diagnostics: [String]) {
        let script = """
            class Enricher extends LivePlugin {
                track(event) { \(body) }
            }
            analytics.add(new Enricher(LivePluginType.enrichment, null))
            """
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("bundle.js")
        try Data(script.utf8).write(to: file)
        let client = Client()
        client.analytics.add(plugin: LivePlugins(fallbackFileURL: file, force: true))
        client.analytics.track(name: "A", properties: ["n": 1])
        await client.flushed()
        await client.flushed()
        await client.ended()
        return (client.server.events, client.diagnostics.all(.pluginFault).map(\.message))
    }

    @Test(
        "A script adds to the context by changing the event, or by tracking it again once",
        arguments: [
            "event.context.shop = 'Riga'; return event",
            """
            if (event.context.__eventOrigin) return event
            analytics.track(event.event, event.properties, { ...event.context, shop: "Riga" })
            return null
            """,
        ])
    func enriches(body: String) async throws {
        let (events, diagnostics) = try await events(body)
        #expect(events.map { $0["event"] } == ["A"])
        #expect(events.first?["context"]?["shop"] == "Riga")
        #expect(events.first?["properties"] == ["n": 1])
        #expect(diagnostics.isEmpty)
    }

    @Test("A script that tracks its own events again gets an error with the remedy, and no event is lost")
    func again() async throws {
        let (events, diagnostics) = try await events(
            "analytics.track(event.event, event.properties, { ...event.context, shop: 'Riga' }); return null")
        #expect(events.map { $0["event"] } == ["A"])
        #expect(diagnostics.first?.contains("change the event and return it, or return it at once") == true)
    }
}
