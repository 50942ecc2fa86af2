import AnalyticsCompat
import Foundation
import Testing
import Tributary

// Both modules have the name `Context`: analytics-ios for the argument of middleware, analytics-swift for one of its
// plugins.
import class AnalyticsCompat.Context

/// One file that imports both modules: every other name of either has one meaning.
@Suite struct BothImportsTests {
    @Test("One file can import both modules, and each name has one meaning")
    func bothImports() {
        let config = AnalyticsConfiguration(writeKey: "KEY")
        // No server listens on this port, because the test needs no server.
        let host = "http://127.0.0.1:9/v1"
        config.configure {
            $0.storageMode(.memory(10)).migration(.off).consent(.denied).cdnHost(host).apiHost(host)
        }
        let client: Analytics = Analytics(configuration: config)
        let other = Analytics(
            configuration: Configuration(writeKey: "OTHER").storageMode(.memory(10)).migration(.off).consent(.denied)
                .cdnHost(host).apiHost(host))
        client.track("a")
        client.track(name: "a")
        other.track("a", properties: ["b": 1])
        other.track(name: "a", properties: ["b": 1])
        client.identify("u", traits: ["a": 1])
        client.identify(userId: "u", traits: ["a": 1])
        client.screen("s")
        client.screen(title: "s")
        client.group("g")
        client.alias("n")
        client.flush()
        client.reset()
        let type: EventType = .track
        let context: Context = Context(analytics: client)
        let settings: (Analytics) -> Settings? = { $0.settings() }
        let plugin: (any Plugin)? = client.find(pluginType: IdentifyDebounce.self)
        #expect(type == .track && context.eventType == .undefined && plugin == nil)
        _ = settings(client)
    }
}
