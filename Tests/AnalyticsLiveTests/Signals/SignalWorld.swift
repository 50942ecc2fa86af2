import Foundation
import TestSupport
import Tributary

@testable import AnalyticsLive

/// A client with signals, whose workspace has deployed a script, and a broadcaster that collects.
struct SignalWorld {
    let client: Client
    let signals: Signals
    let collector: SignalCollector

    /// - Parameter draw: what the samples of settings are drawn with.
    init(
        _ script: String = "", signals: Signals? = nil, draw: Double = 0, livePlugins: LivePlugins? = nil,
        autoInstrumentation: JSON? = nil, hook: HookServer? = nil, consent: ConsentState = .granted,
        configuration: (inout SignalsConfiguration) -> Void = { _ in }
    ) {
        let server = TestServer()
        var settings = Deployment.settings(version: 1)
        settings["autoInstrumentation"] = autoInstrumentation
        server.answerSettings(settings)
        server.answerBundle(script)
        hook?.others = server
        client = Client(server: server) {
            $0.consent(consent)
            if let hook { $0.transport(hook) }
        }
        let signals = signals ?? Signals { draw }
        self.signals = signals
        collector = SignalCollector()
        var chosen = SignalsConfiguration(writeKey: "KEY", broadcasters: [collector])
        configuration(&chosen)
        if let livePlugins { client.analytics.add(plugin: livePlugins) }
        signals.useConfiguration(chosen)
        client.analytics.add(plugin: signals)
    }

    /// Waits until all events and signals so far are processed, and the events that scripts made of them.
    func settled() async {
        await signals.settled(with: client)
        await withCheckedContinuation { done in client.analytics.afterReports { done.resume() } }
    }

    /// What the server has received, without what clients send by themselves.
    func events() async -> [JSON] {
        await settled()
        await client.flushed()
        await withCheckedContinuation { done in client.analytics.afterReports { done.resume() } }
        return client.server.events
    }
}

extension Signals {
    /// Waits until all signals so far are processed.
    func processed() async { await withCheckedContinuation { done in afterProcessing { done.resume() } } }

    /// Everything that was tracked and emitted so far is done. The first signals wait for live plugins, which signals add
    /// themselves as soon as settings are known, and which hold the client until their scripts are there; so twice.
    func settled(with client: Client) async {
        for _ in 0..<2 {
            await client.processed()
            await processed()
        }
    }
}

/// Keeps the signals that it gets as dictionaries, and counts relays.
final class SignalCollector: SignalJSONBroadcaster, Sendable {
    private struct State {
        weak var analytics: Analytics?
        var signals: [JSON] = []
        var relays: [Int] = []
        var hadClient = true
    }

    private let state = LockBox(State())

    var analytics: Analytics? {
        get { state.withLock { $0.analytics } }
        set { state.withLock { $0.analytics = newValue } }
    }

    var signals: [JSON] { state.withLock { $0.signals } }
    /// How many signals had come at each relay.
    var relays: [Int] { state.withLock { $0.relays } }
    /// Whether there was a client at each signal.
    var hadClient: Bool { state.withLock { $0.hadClient } }

    func added(signal: [String: Any]) {
        let json = try? JSON(signal)
        state.withLock { state in
            state.signals.append(json ?? "no JSON")
            if state.analytics == nil { state.hadClient = false }
        }
    }

    func relay() { state.withLock { $0.relays.append($0.signals.count) } }

    /// The screens of the navigation signals.
    var screens: [String] { signals.compactMap { $0["data"]?["screen"]?.stringValue } }
    /// The types of the events of the instrumentation signals.
    var eventTypes: [String] {
        signals.filter { $0["type"] == "instrumentation" }.compactMap { $0["data"]?["type"]?.stringValue }
    }
}
