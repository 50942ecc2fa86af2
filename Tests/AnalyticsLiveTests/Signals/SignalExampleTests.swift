import Foundation
import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The Swift examples of the signals' documentation, by their numbers in the list of examples.
///
/// One after the other, because the app's signals, `Signals.shared`, are one for the process.
@Suite("Examples of signals", .serialized)
struct SignalExampleTests {
    // MARK: The app's signals

    @Test("Example 25: the app's signals are configured before they are added, or after", arguments: [true, false])
    func example25(isConfiguredFirst: Bool) async throws {
        let client = Client()
        let config = SignalsConfiguration(writeKey: "<YOUR WRITE KEY>")
        if isConfiguredFirst { Signals.shared.useConfiguration(config) }
        client.analytics.add(plugin: Signals.shared)
        if !isConfiguredFirst { Signals.shared.useConfiguration(config) }
        await client.processed()
        #expect(Signals.shared.anonymousId == client.analytics.anonymousId)
        // As many signals as make the default broadcaster send in debug builds.
        for number in 0..<config.relayCount {
            Signals.emit(NavigationSignal(action: .entering, screen: "Screen \(number)"))
        }
        await Signals.shared.settled(with: client)
        let sent = client.server.events.filter { $0["event"] == "Segment Signal Generated" }
        let screens = sent.compactMap { $0["properties"]?["data"]?["screen"]?.stringValue }
        #expect(screens == (BuildConfiguration.isDebug ? (0..<20).map { "Screen \($0)" } : []))
        await client.ended()
    }

    /// The document's type of an app's own.
    struct MyKindaSignal: RawSignal {
        struct MyKindaData: Codable {
            let that: String
        }

        var anonymousId: String = Signals.shared.anonymousId
        var type: SignalType = .userDefined
        var timestamp: String = Date().iso8601()
        var index: Int = Signals.shared.nextIndex
        var data: MyKindaData

        init(that: String) {
            self.data = MyKindaData(that: that)
        }
    }

    @Test("Example 32: a signal of an app's own type is emitted in two ways, and a generator reads it")
    func example32() async {
        let world = SignalWorld(
            """
            function processSignal(signal) {
                if (signal.type === SignalType.UserDefined && signal.data.that) {
                    analytics.track(signal.data.that, { index: signal.index, by: signal.anonymousId })
                }
            }
            """, signals: Signals.shared)
        await world.settled()
        Signals.emit(MyKindaSignal(that: "Robbie Ray Rana"))
        Signals.emit(signal: MyKindaSignal(that: "Zoë"))
        let events = await world.events()
        #expect(events.compactMap { $0["event"]?.stringValue } == ["Robbie Ray Rana", "Zoë"])
        let indexes = events.compactMap { $0["properties"]?["index"]?.intValue }
        #expect(indexes.count == 2 && indexes == indexes.sorted() && Set(indexes).count == 2)
        let id = world.client.analytics.anonymousId
        #expect(events.allSatisfy { $0["properties"]?["by"]?.stringValue == id })
        await world.client.ended()
    }

    // MARK: Hosts

    /// The signals that a request and its answer make with this configuration.
    private func captured(_ config: SignalsConfiguration, hosts: [String]) async throws -> [String] {
        let world = SignalWorld { chosen in
            chosen.useNetworkAutoSignal = config.useNetworkAutoSignal
            chosen.allowedNetworkHosts = config.allowedNetworkHosts
            chosen.blockedNetworkHosts = config.blockedNetworkHosts
        }
        await world.settled()
        for host in hosts {
            let url = try #require(URL(string: "https://\(host)/v1/path"))
            guard SignalsNetworkProtocol.canInit(with: URLRequest(url: url)) else { continue }
            let exchange = NetworkCapture.shared.begin(URLRequest(url: url))
            exchange?.end()
        }
        await world.settled()
        let network = world.collector.signals.filter { $0["type"] == "network" }
        await world.client.ended()
        world.signals.useConfiguration(SignalsConfiguration(writeKey: "KEY"))
        return network.compactMap { signal in
            let url = signal["data"]?["url"]?.stringValue.flatMap(URL.init(string:))
            // Other tests may send requests of their own meanwhile.
            guard let host = url?.host, hosts.contains(host) else { return nil }
            return "\(signal["data"]?["action"]?.stringValue ?? "") \(host)"
        }
    }

    @Test("Example 31: allowed hosts are seen; a blocked one and one that is not listed are not")
    func example31() async throws {
        let config = SignalsConfiguration(
            writeKey: "<YOUR WRITE KEY>",
            useNetworkAutoSignal: true,
            allowedNetworkHosts: ["api.myapp.com", "api.myanalytics.com"],
            blockedNetworkHosts: ["internal.myapp.com"]
        )
        let seen = try await captured(
            config, hosts: ["api.myapp.com", "internal.myapp.com", "example.com", "api.myanalytics.com"])
        #expect(
            seen == [
                "request api.myapp.com", "response api.myapp.com", "request api.myanalytics.com",
                "response api.myanalytics.com",
            ])
    }

    @Test("Example 35: the six hosts of the document make no signals, although all hosts are allowed")
    func example35() async throws {
        let config = SignalsConfiguration(writeKey: "<YOUR WRITE KEY>", useNetworkAutoSignal: true)
        let documented = [
            "api.segment.com", "cdn-settings.segment.com", "signals.segment.com", "api.segment.build",
            "cdn.segment.build", "signals.segment.build",
        ]
        #expect(
            try await captured(config, hosts: documented + ["other.example"]) == [
                "request other.example", "response other.example",
            ])
    }

    // MARK: Broadcasters

    /// A broadcaster with the three members that the document declares.
    private final class Typed: SignalBroadcaster {
        var analytics: Analytics?
        var heard: [String] = []

        func added(signal: any RawSignal) {
            let name = (signal as? NavigationSignal)?.data.screen ?? "?"
            heard.append(analytics == nil ? "\(name) without a client" : name)
        }

        func relay() { heard.append("relay") }
    }

    @Test("Example 33: a broadcaster has its client before its first signal; it relays by count and by time")
    func example33() async {
        let broadcaster = Typed()
        let world = SignalWorld { configuration in
            configuration.broadcasters = [broadcaster]
            configuration.relayCount = 2
            configuration.relayInterval = 30
        }
        for name in ["1", "2", "3"] { world.signals.emit(NavigationSignal(action: .page, screen: name)) }
        await world.settled()
        #expect(broadcaster.heard == ["1", "2", "relay", "3"])
        await world.client.time.pass(30)
        await world.settled()
        #expect(broadcaster.heard == ["1", "2", "relay", "3", "relay"])
        #expect(broadcaster.analytics === world.client.analytics)
    }

    /// A broadcaster that gets dictionaries only.
    private final class Dictionaries: SignalJSONBroadcaster {
        var analytics: Analytics?
        var heard: [[String: Any]] = []

        func added(signal: [String: Any]) { heard.append(signal) }
        func relay() {}
    }

    @Test("Example 34: a broadcaster of dictionaries needs no typed method, and gets what goes on the wire")
    func example34() async throws {
        let broadcaster = Dictionaries()
        let world = SignalWorld { $0.broadcasters = [broadcaster] }
        world.signals.emit(InteractionSignal(component: "button", title: "Add To Cart", data: ["productId": "123"]))
        await world.settled()
        #expect(broadcaster.heard.count == 1)
        let signal = try #require(broadcaster.heard.first)
        #expect(signal["type"] as? String == "interaction")
        #expect(signal["index"] as? Int == 0)
        #expect(signal["anonymousId"] as? String == world.client.analytics.anonymousId)
        #expect((signal["timestamp"] as? String)?.hasSuffix("Z") == true)
        let data = try #require(signal["data"] as? [String: Any])
        #expect(data["title"] as? String == "Add To Cart")
        #expect((data["data"] as? [String: Any])?["productId"] as? String == "123")
    }
}
