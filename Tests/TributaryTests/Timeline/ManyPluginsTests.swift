import TestSupport
import Testing

@testable import Tributary

@Suite("Many plugins")
struct ManyPluginsTests {
    @Test("Each of many plugins gets configure and shutdown once")
    func lives() async {
        let client = Client()
        let destination = TestDestination("D")
        client.analytics.add(plugin: destination)
        client.analytics.manuallyEnableDestination(plugin: destination)
        let own = (0..<4000).map { Recorder(name: "\($0)") }
        let inner = (0..<4000).map { Recorder(name: "\($0)") }
        for plugin in own { client.analytics.add(plugin: plugin) }
        for plugin in inner { destination.add(plugin: plugin) }
        client.analytics.track(name: "A")
        await client.processed()
        let plugins = own + inner
        #expect(plugins.allSatisfy { $0.seen.count == 1 && $0.updates == [.initial] })
        for plugin in plugins { client.analytics.remove(plugin: plugin) }
        await client.processed()
        #expect(plugins.allSatisfy { $0.isShutDown })
        #expect(client.analytics.findAll(pluginType: Recorder.self)?.isEmpty == true)
    }

    @Test("The plugin list for events is built once, not for each added plugin")
    func listed() {
        let timeline = Timeline()
        let plugins = (0..<100).map { Recorder(name: "\($0)") }
        let empty = timeline.snapshot
        for plugin in plugins {
            timeline.register(plugin)
            // Nobody sees events yet, so nothing has to be listed again.
            #expect(timeline.snapshot === empty)
        }
        for plugin in plugins {
            #expect(timeline.start(plugin))
            timeline.activate(plugin)
        }
        let full = timeline.snapshot
        #expect(full.enrichment.count == 100)
        #expect(timeline.snapshot === full)
    }
}
