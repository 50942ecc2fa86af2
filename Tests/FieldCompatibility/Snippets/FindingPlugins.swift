import TestSupport
import Testing
import Tributary

private final class Marker: EventPlugin {
    let type: PluginType
    weak var analytics: Analytics?
    let label: String

    init(_ label: String, _ type: PluginType = .enrichment) {
        self.label = label
        self.type = type
    }
}

@Suite("Plugins that are looked for")
struct FindingPluginsSnippet {
    @Test("find searches the timeline that it is called on, and apply visits all plugins")
    func places() {
        let client = Client()
        let destination = TestDestination("D")
        client.analytics.add(plugin: Marker("late", .after))
        client.analytics.add(plugin: Marker("early", .before))
        client.analytics.add(plugin: destination)
        destination.add(plugin: Marker("inner"))
        #expect(client.analytics.find(pluginType: Marker.self)?.label == "early")
        #expect(destination.find(pluginType: Marker.self)?.label == "inner")
        #expect(client.analytics.find(key: "D") === destination)
        var visited: [String] = []
        client.analytics.apply { plugin in
            if let marker = plugin as? Marker { visited.append(marker.label) }
        }
        #expect(visited == ["early", "late", "inner"])
    }

    @Test("A plugin inside of a destination is not found by the client's find")
    func onlyInside() {
        let client = Client()
        let destination = TestDestination("D")
        client.analytics.add(plugin: destination)
        destination.add(plugin: Marker("inner"))
        #expect(client.analytics.find(pluginType: Marker.self) == nil)
    }
}
