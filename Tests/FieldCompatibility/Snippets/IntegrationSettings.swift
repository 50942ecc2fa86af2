import TestSupport
import Testing
import Tributary

private struct Options: Codable, Equatable {
    let apiKey: String
    let ratio: Double?
}

/// A destination that begins only when the workspace has settings for it.
private final class Firebase: DestinationPlugin, @unchecked Sendable {
    let key = "Firebase"
    let timeline = Timeline()
    let type = PluginType.destination
    weak var analytics: Analytics?
    var options: Options?
    var isNamed: [Bool] = []

    func update(settings: Settings, type: UpdateType) {
        guard type == .initial else { return }
        isNamed = [
            settings.hasIntegrationSettings(key: key), settings.hasIntegrationSettings(forPlugin: self),
            settings.hasIntegrationSettings(key: "Other"),
        ]
        options = settings.integrationSettings(forPlugin: self)
    }
}

@Suite("A destination that looks whether it has settings")
struct IntegrationSettingsSnippet {
    @Test("Settings of an integration are found by key, by plugin and as a type")
    func named() async {
        let client = Client(settings: ["integrations": ["Firebase": ["apiKey": "k", "ratio": 1]]])
        let destination = Firebase()
        client.analytics.add(plugin: destination)
        await client.processed()
        #expect(destination.isNamed == [true, true, false])
        #expect(destination.options == Options(apiKey: "k", ratio: 1))
        let other: Options? = client.analytics.settings()?.integrationSettings(forKey: "Other")
        #expect(other == nil)
        #expect(Settings(writeKey: "K").hasIntegrationSettings(key: "Segment.io"))
    }
}
