import AnalyticsLive
import Testing

/// The options of the documentation, and what they are unless an app says otherwise.
@Suite struct SignalsConfigurationTests {
    @Test func onlyTheWriteKeyIsRequired() {
        let config = SignalsConfiguration(writeKey: "KEY")
        #expect(config.writeKey == "KEY")
        #expect(config.maximumBufferSize == 1000)
        #expect(config.relayCount == 20)
        #expect(config.relayInterval == 60)
        #expect(!config.useUIKitAutoSignal && !config.useSwiftUIAutoSignal && !config.useNetworkAutoSignal)
        #expect(!config.sendDebugSignalsToSegment && config.obfuscateDebugSignals)
        #expect(config.apiHost == "signals.segment.io/v1")
        #expect(config.allowedNetworkHosts == ["*"])
        let documented = [
            "api.segment.com", "cdn-settings.segment.com", "signals.segment.com", "api.segment.build",
            "cdn.segment.build", "signals.segment.build",
        ]
        #expect(documented.allSatisfy(config.blockedNetworkHosts.contains))
    }

    @Test func optionsStandInTheDocumentedOrder() {
        let config = SignalsConfiguration(
            writeKey: "KEY", maximumBufferSize: 2000, relayCount: 10, relayInterval: 30, useSwiftUIAutoSignal: true,
            useNetworkAutoSignal: true)
        #expect(config.maximumBufferSize == 2000)
        #expect(config.relayCount == 10)
        #expect(config.relayInterval == 30)
        #expect(config.useSwiftUIAutoSignal && config.useNetworkAutoSignal && !config.useUIKitAutoSignal)
        let hosts = SignalsConfiguration(
            writeKey: "KEY", useNetworkAutoSignal: true,
            allowedNetworkHosts: ["api.myapp.com", "api.myanalytics.com"], blockedNetworkHosts: ["internal.myapp.com"])
        #expect(hosts.allowedNetworkHosts == ["api.myapp.com", "api.myanalytics.com"])
        #expect(hosts.blockedNetworkHosts.first == "internal.myapp.com")
        #expect(hosts.blockedNetworkHosts.count == 7)
    }
}
