import AnalyticsLive
import Foundation
import TestSupport
import Testing
import Tributary

@Suite("A live plugin that asks whether settings are the first ones")
struct LivePluginUpdateFormsSnippet {
    @Test(
        "A bundle learns the type of an update in the form that it is written for",
        arguments: [
            "type === 'Initial'", "type !== \"Refresh\"", "type == true", "type", "type === UpdateType.initial",
            "type === UpdateType.initial || type === 'Initial'",
        ])
    func isInitial(condition: String) async throws {
        let script = """
            class Configured extends LivePlugin {
                update(settings, type) { this.kinds = (this.kinds ?? "") + (\(condition) ? "i" : "r") }
                track(event) {
                    event.properties.kinds = this.kinds
                    return event
                }
            }
            analytics.add(new Configured(LivePluginType.enrichment, null))
            """
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("bundle.js")
        try Data(script.utf8).write(to: file)
        let client = Client()
        client.analytics.add(plugin: LivePlugins(fallbackFileURL: file, force: true))
        await client.processed()
        client.server.answerSettings(["integrations": ["A": true]])
        await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
        client.analytics.track(name: "A", properties: [:])
        await client.flushed()
        #expect(client.server.events.first?["properties"]?["kinds"] == "ir")
        await client.ended()
    }
}
