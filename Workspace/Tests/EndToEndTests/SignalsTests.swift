import AnalyticsLive
import Foundation
import Testing
import Tributary
import TributaryJSON

@testable import Demo

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The test follows a request of an app: it makes signals, and a generator makes an event of the signals.
@Suite(.serialized, .timeLimit(.minutes(30))) struct SignalsTests {
    private static let generator = """
        function processSignal(signal) {
            if (signal.type !== SignalType.Interaction || signal.data.title !== "Add To Cart") return
            const answer = signals.find(signal, SignalType.Network, (s) => s.data.action === NetworkAction.Response)
            analytics.track("Add To Cart", { price: answer.data.data.content.price, name: answer.data.data.content.title })
        }
        """

    @Test("A generator makes an event of a real HTTP exchange, and the workspace has the event and the signals")
    func exchange() async throws {
        let scene = try Scene()
        try await scene.withWorkspace { workspace in
            _ = try await workspace.deployPlugins(Data(Self.generator.utf8))
            let host = workspace.server + "/v1"
            try await ProductServer.run { product in
                let analytics = Self.client(host, product)
                let session = URLSession(configuration: .ephemeral.capturingSignals())
                let (data, _) = try await session.data(from: product)
                #expect(try JSON.parse([UInt8](data))["title"] == "Lamp")
                Signals.emit(InteractionSignal(component: "button", title: "Add To Cart"))
                let found = try await Self.found(workspace, analytics)
                Self.check(found.signals, found.event, product)
            }
        }
    }

    private static func client(_ host: String, _ product: URL) -> Analytics {
        let analytics = Analytics(
            configuration: Configuration(writeKey: Scene.writeKey).apiHost(host).cdnHost(host)
                .trackApplicationLifecycleEvents(false).storageMode(.memory(1000)))
        Signals.shared.useConfiguration(
            SignalsConfiguration(
                writeKey: Scene.writeKey, relayCount: 1,
                broadcasters: [SegmentBroadcaster(sendToSegment: true, obfuscate: false)],
                useNetworkAutoSignal: true, allowedNetworkHosts: ["\(product.host ?? ""):\(product.port ?? 0)"]))
        analytics.add(plugin: Signals.shared)
        return analytics
    }

    /// Waits for the event and the signals; the client sends signals and events separately.
    private static func found(
        _ workspace: WorkspaceClient, _ analytics: Analytics
    ) async throws -> (signals: [JSON], event: JSON) {
        let deadline = Date() + Scene.patience
        while Date() < deadline {
            _ = await analytics.flush(timeout: Scene.patience)
            var event: JSON?
            var signals: [JSON] = []
            try await workspace.visitEvents { if $0["name"] == "Add To Cart" { event = $0 } }
            try await workspace.visitSignals { signals.append($0["signal"] ?? .null) }
            let types = signals.compactMap { $0["type"]?.stringValue }
            if let event, types.filter({ $0 == "network" }).count >= 2, types.contains("interaction") {
                return (signals, event)
            }
            await Task.yield()
        }
        throw DemoError("the event or its signals did not come")
    }

    private static func check(_ signals: [JSON], _ event: JSON, _ product: URL) {
        let network = signals.filter { $0["type"] == "network" }.map { $0["data"] ?? .null }
        #expect(network.map { $0["action"] } == ["request", "response"])
        #expect(network.allSatisfy { $0["url"]?.stringValue == product.absoluteString })
        #expect(network.first?["requestId"] == network.last?["requestId"])
        #expect(network.last?["data"]?["content"]?["price"]?.doubleValue == 42.5)
        let properties = event["event"]?["properties"]
        #expect(properties?["name"] == "Lamp")
        #expect(properties?["price"]?.doubleValue == 42.5)
        // The event names the signal that it was made of.
        let tap = signals.first { $0["type"] == "interaction" }
        let made = event["event"]?["context"]?["__eventOrigin"]?["signal"]
        #expect(made != nil)
        #expect(made == tap?["index"])
    }
}
