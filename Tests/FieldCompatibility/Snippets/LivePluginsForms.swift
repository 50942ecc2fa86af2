import AnalyticsLive
import Foundation
import TestSupport
import Testing
import Tributary

@Suite("LivePlugins in the field's forms")
struct LivePluginsFormsSnippet {
    @Test("LivePlugins can be made without arguments and with all of them")
    func forms() {
        let client = Client()
        client.analytics.add(plugin: LivePlugins())
        #expect(client.analytics.find(pluginType: LivePlugins.self) != nil)
        let other = Client(writeKey: "OTHER")
        other.analytics.add(
            plugin: LivePlugins(fallbackFileURL: nil, force: true, exceptionHandler: { print($0) }, localJSURLs: []))
        #expect(other.analytics.find(pluginType: LivePlugins.self) != nil)
    }

    @Test("Local scripts run before the bundle, and errors reach the handler")
    func local() async throws {
        let folder = try TemporaryFolder()
        let (local, fallback) = (folder.url.appendingPathComponent("a.js"), folder.url.appendingPathComponent("b.js"))
        try Data("var fromLocal = 'yes'".utf8).write(to: local)
        try Data(
            """
            class Mark extends LivePlugin {
                track(event) {
                    if (event.event === 'Bad') throw new Error('no')
                    event.properties = { local: fromLocal }
                    return event
                }
            }
            analytics.add(new Mark(LivePluginType.enrichment, null))
            """.utf8
        ).write(to: fallback)
        let errors = Atomic(wrappedValue: [String]())
        let client = Client()
        client.analytics.add(
            plugin: LivePlugins(
                fallbackFileURL: fallback, force: true,
                exceptionHandler: { error in errors.mutate { $0.append("\(error)") } }, localJSURLs: [local]))
        client.analytics.track(name: "A", properties: ["a": 1])
        client.analytics.track(name: "Bad")
        _ = await client.flushed()
        #expect(client.server.names == ["A", "Bad"])
        #expect(client.server.events.first?["properties"]?["local"] == "yes")
        #expect(errors.wrappedValue.contains { $0.contains("no") }, "\(errors.wrappedValue)")
        await client.ended()
    }
}
