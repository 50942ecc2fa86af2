import Foundation
import TestSupport
import Testing
import Tributary
import TributaryJSON

@testable import AnalyticsLive

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Signals of real requests")
struct NetworkSignalTests {
    /// The generator of the documentation.
    private static let addToCart = """
        function processSignal(signal) { trackAddToCart(signal) }
        function trackAddToCart(signal) {
            if (signal.type === SignalType.Interaction && signal.data.title === "Add To Cart") {
                let properties = {}
                const network = signals.find(signal, SignalType.Network, (s) => {
                    return (s.data.action === NetworkAction.Response && s.data.url.includes("product"))
                })
                if (network) {
                    properties.price = network.data.data.content.price
                    properties.currency = network.data.data.content.currency ?? "USD"
                    properties.productId = network.data.data.content.id
                    properties.productName = network.data.data.content.title
                }
                analytics.track("Add To Cart", properties)
            }
        }
        """

    private func world(_ server: LoopbackServer, _ script: String = "", settings: JSON? = nil) -> SignalWorld {
        SignalWorld(script, autoInstrumentation: settings) { configuration in
            configuration.useNetworkAutoSignal = true
            configuration.allowedNetworkHosts = ["127.0.0.1:\(server.port)"]
        }
    }

    private var session: URLSession { URLSession(configuration: URLSessionConfiguration.ephemeral.capturingSignals()) }

    @Test("A generator makes an event of a response and a tap")
    func generator() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.json(#"{"id":7,"title":"Shoe","price":49.5}"#) }
        defer { server.stop() }
        let world = world(server, Self.addToCart)
        _ = try await session.data(from: try #require(server.url("/product/7")))
        world.signals.emit(InteractionSignal(component: "button", title: "Add To Cart"))
        let event = try #require(await world.events().first { $0["event"] == "Add To Cart" })
        #expect(event["properties"] == ["price": 49.5, "currency": "USD", "productId": 7, "productName": "Shoe"])
        let network = world.collector.signals.filter { $0["type"] == "network" }
        #expect(network.map { $0["data"]?["action"] } == ["request", "response"])
        #expect(network.first?["data"]?["requestId"] == network.last?["data"]?["requestId"])
    }

    @Test("Settings can switch the network capture off, and sample its signals")
    func settings() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.json("{}") }
        defer { server.stop() }
        let cases: [(JSON, Int)] = [
            (["sources": ["network": ["enabled": false]]], 0), (["sources": ["network": ["sampleRate": 0]]], 0),
            (["sources": ["network": ["sampleRate": 1]]], 2), (["sources": ["uiKit": ["enabled": false]]], 2),
        ]
        for (settings, expected) in cases {
            let world = world(server, settings: settings)
            await world.settled()
            _ = try await session.data(from: try #require(server.url("/x")))
            await world.settled()
            #expect(world.collector.signals.filter { $0["type"] == "network" }.count == expected, "\(settings)")
        }
    }

    @Test("The client's own hosts make no signals, also those from the settings")
    func ownHosts() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.json("{}") }
        defer { server.stop() }
        let url = try #require(server.url("/v1/b"))
        func seen(_ world: SignalWorld) async throws -> Int {
            _ = try await session.data(from: url)
            await world.settled()
            return world.collector.signals.filter { $0["type"] == "network" }.count
        }
        let named = world(server)
        await named.settled()
        #expect(try await seen(named) == 2)
        let host = JSON.string("http://127.0.0.1:\(server.port)/v1")
        let settings = Settings(document: ["integrations": ["Segment.io": ["apiHost": host]]])
        named.signals.update(settings: settings, type: .refresh)
        #expect(try await seen(named) == 2)

        for broadcaster in [
            WebhookBroadcaster(url: url), SegmentBroadcaster(apiHost: "http://127.0.0.1:\(server.port)/v1"),
        ] as [any SignalBroadcaster] {
            let hosted = SignalWorld { configuration in
                configuration.useNetworkAutoSignal = true
                configuration.allowedNetworkHosts = ["127.0.0.1:\(server.port)"]
                configuration.broadcasters?.append(broadcaster)
            }
            await hosted.settled()
            #expect(try await seen(hosted) == 0)
        }
    }
}

@Suite("Local data")
struct SignalingTests {
    private struct Cart: Codable { var items: Int }

    @Test("One call emits a signal about data: with a type of the app, a dictionary, or no data")
    func localData() async {
        let world = SignalWorld()
        world.signals.signalLocalData(action: .saved, identifier: "cart", model: Cart(items: 2))
        world.signals.signalLocalData(action: .loaded, identifier: "user", model: ["name": "Ann"])
        world.signals.signalLocalData(action: .deleted, identifier: "cart")
        await world.settled()
        let data = world.collector.signals.filter { $0["type"] == "localData" }.map { $0["data"] }
        #expect(
            data == [
                ["action": "saved", "identifier": "cart", "data": ["items": 2]],
                ["action": "loaded", "identifier": "user", "data": ["name": "Ann"]],
                ["action": "deleted", "identifier": "cart"],
            ])
    }
}
