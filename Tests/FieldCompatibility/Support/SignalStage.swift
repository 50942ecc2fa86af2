import AnalyticsLive
import Foundation
import TestSupport
import Tributary

/// A client with a bundle of the app's own, and signals beside `Signals.shared`, which other suites use.
struct SignalStage {
    let client: Client
    let signals: Signals
    private let folder: TemporaryFolder

    /// - Parameter body: what the app does.
    /// - Returns: the events that have reached the server.
    static func run(
        _ script: String, broadcasters: [any SignalBroadcaster] = [], configure: (Configuration) -> Void = { _ in },
        _ body: (SignalStage) async -> Void
    ) async throws -> [JSON] {
        let stage = try SignalStage(script, broadcasters, configure)
        await body(stage)
        await stage.settled()
        await stage.client.flushed()
        await stage.client.ended()
        return stage.client.server.events
    }

    private init(
        _ script: String, _ broadcasters: [any SignalBroadcaster], _ configure: (Configuration) -> Void
    ) throws {
        folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("bundle.js")
        try Data(script.utf8).write(to: file)
        client = Client(configure: configure)
        signals = Signals { 0 }
        client.analytics.add(plugin: LivePlugins(fallbackFileURL: file, force: true))
        signals.useConfiguration(SignalsConfiguration(writeKey: "KEY", relayCount: 1, broadcasters: broadcasters))
        client.analytics.add(plugin: signals)
    }

    /// Everything that was tracked and emitted so far is done.
    func settled() async {
        for _ in 0..<2 {
            await client.processed()
            await withCheckedContinuation { done in signals.afterProcessing { done.resume() } }
        }
    }
}
