import AnalyticsLive
import Foundation
import Testing

/// The options of the documentation, and what they are unless an app says otherwise.
@Suite struct SignalsConfigurationTests {
    /// Every option at once, so that the test notices an option that changes by itself.
    private func options(_ config: SignalsConfiguration) -> [String] {
        [
            "\(config.writeKey) \(config.maximumBufferSize) \(config.relayCount) \(config.relayInterval)",
            "\((config.broadcasters ?? []).map { "\(type(of: $0))" })",
            "\(config.sendDebugSignalsToSegment) \(config.obfuscateDebugSignals) \(config.apiHost)",
            "\(config.useUIKitAutoSignal) \(config.useSwiftUIAutoSignal) \(config.useNetworkAutoSignal)",
            "\(config.allowedNetworkHosts) \(config.blockedNetworkHosts.count) \(config.privacyRules.count)",
        ]
    }

    @Test("Example 27: SwiftUI and network are on, everything else is as documented")
    func example27() {
        let config = SignalsConfiguration(
            writeKey: "<YOUR WRITE KEY>",
            useSwiftUIAutoSignal: true,
            useNetworkAutoSignal: true
        )
        #expect(config.useSwiftUIAutoSignal && config.useNetworkAutoSignal)
        var others = config
        others.useSwiftUIAutoSignal = false
        others.useNetworkAutoSignal = false
        #expect(options(others) == options(SignalsConfiguration(writeKey: "<YOUR WRITE KEY>")))
    }

    @Test("Example 28: only the write key is required")
    func example28() {
        let config = SignalsConfiguration(
            writeKey: "<YOUR WRITE KEY>"
        )
        #expect(config.writeKey == "<YOUR WRITE KEY>")
        #expect(config.maximumBufferSize == 1000)
        #expect(config.relayCount == 20)
        #expect(config.relayInterval == 60)
        #expect(!config.useUIKitAutoSignal && !config.useSwiftUIAutoSignal && !config.useNetworkAutoSignal)
        #expect(!config.sendDebugSignalsToSegment && config.obfuscateDebugSignals)
        #expect(config.apiHost == "signals.segment.io/v1")
        #expect(config.allowedNetworkHosts == ["*"])
        #expect(config.broadcasters?.count == 1)
        #expect(config.broadcasters?.first is SegmentBroadcaster)
        let documented = [
            "api.segment.com", "cdn-settings.segment.com", "signals.segment.com", "api.segment.build",
            "cdn.segment.build", "signals.segment.build",
        ]
        #expect(documented.allSatisfy(config.blockedNetworkHosts.contains))
        #expect(SignalsConfiguration.autoBlockedHosts == documented)
    }

    @Test("Example 29: options stand in the documented order")
    func example29() {
        let config = SignalsConfiguration(
            writeKey: "<YOUR WRITE KEY>",
            maximumBufferSize: 2000,
            relayCount: 10,
            relayInterval: 30,
            useSwiftUIAutoSignal: true,
            useNetworkAutoSignal: true
        )
        #expect(config.maximumBufferSize == 2000)
        #expect(config.relayCount == 10)
        #expect(config.relayInterval == 30)
        #expect(config.useSwiftUIAutoSignal && config.useNetworkAutoSignal && !config.useUIKitAutoSignal)
        // Every documented label at once; it compiles only in this order.
        let all = SignalsConfiguration(
            writeKey: "KEY", maximumBufferSize: 1, relayCount: 2, relayInterval: 3, broadcasters: [],
            useUIKitAutoSignal: true, useSwiftUIAutoSignal: false, useNetworkAutoSignal: true,
            allowedNetworkHosts: ["a.example"], blockedNetworkHosts: ["b.example"])
        #expect(all.broadcasters?.isEmpty == true)
        #expect(all.useUIKitAutoSignal && !all.useSwiftUIAutoSignal && all.useNetworkAutoSignal)
        #expect(all.allowedNetworkHosts == ["a.example"])
        #expect(all.blockedNetworkHosts.first == "b.example")
        #expect(all.blockedNetworkHosts.count == 7)
    }

    @Test("Nil and an empty list mean no broadcaster; a webhook's host makes no signals")
    func broadcasters() throws {
        #expect(SignalsConfiguration(writeKey: "KEY", broadcasters: nil).broadcasters == nil)
        let url = try #require(URL(string: "https://hooks.example/in"))
        let hooked = SignalsConfiguration(writeKey: "KEY", broadcasters: [WebhookBroadcaster(url: url)])
        #expect(hooked.blockedNetworkHosts.contains("hooks.example"))
    }
}
