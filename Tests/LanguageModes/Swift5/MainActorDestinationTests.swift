import Dispatch
import TestSupport
import Testing
import Tributary
import TributaryJSON

/// A destination of an app in Swift 5's language mode.
@MainActor
private final class AcmeDestination: MainActorDestination {
    nonisolated let key = "Acme"
    private(set) var calls: [String] = []
    private weak var analytics: Analytics?

    private func note(_ call: String) {
        MainActor.assertIsolated()
        calls.append(call)
    }

    func configure(analytics: Analytics) {
        self.analytics = analytics
        note("configure")
    }

    func update(settings: Settings, type: UpdateType) {
        let options: [String: String]? = settings.integrationSettings(forKey: key)
        note("update \(type) \(options?["token"] ?? "-")")
    }

    func track(event: TrackEvent) -> TrackEvent? {
        note(event.event)
        if event.event == "A" { analytics?.track(name: "Made on the main actor") }
        return event.event == "Refused" ? nil : event
    }

    func reset() { note("reset") }
    func flush() { note("flush") }
    func shutdown() { note("shutdown") }
}

@Suite("A destination of the main actor, in Swift 5's language mode")
struct MainActorDestinationTests {
    private func client() -> Client {
        let server = TestServer()
        server.answerSettings(["integrations": ["Acme": ["token": "t"]]])
        return Client(server: server) { $0.flushAt(.max).flushInterval(0) }
    }

    @Test("A main actor destination gets every call there in order, and can be found and removed")
    @MainActor
    func calls() async {
        let client = client()
        let acme = AcmeDestination()
        let plugin = client.analytics.add(plugin: acme)
        #expect(plugin.key == "Acme")
        #expect(client.analytics.find(pluginType: AcmeDestination.self) === acme)
        plugin.add(
            plugin: Recorder(.enrichment, name: "inner") { event in
                (event as? TrackEvent)?.event == "Secret" ? nil : event
            })
        for name in ["A", "Secret", "Refused"] { client.analytics.track(name: name) }
        client.analytics.reset()
        await client.processed()
        await client.attempted()
        await client.processed()
        #expect(
            acme.calls == ["configure", "update initial t", "A", "Refused", "reset", "Made on the main actor", "flush"])
        #expect(client.analytics.counters.delivered["Acme"] == 2)
        #expect(
            client.analytics.counters.droppedByPlugin == [
                .init(by: "inner", destination: "Acme"): 1, .init(by: "AcmeDestination", destination: "Acme"): 1,
            ])
        client.analytics.remove(plugin: acme)
        client.analytics.track(name: "Late")
        await client.processed()
        #expect(client.analytics.find(pluginType: AcmeDestination.self) == nil)
        await client.ended()
        #expect(acme.calls.last == "shutdown" && !acme.calls.contains("Late"))
    }

    @Test("Only a main actor destination waits while the main thread is busy")
    @MainActor
    func busyMainThread() {
        let client = client()
        let acme = AcmeDestination()
        client.analytics.add(plugin: acme)
        client.analytics.track(name: "A")
        client.begin()
        let sent = DispatchSemaphore(value: 0)
        Task.detached {
            if await client.analytics.flush(timeout: 3600) == .sent { sent.signal() }
        }
        // The main thread does nothing else meanwhile.
        #expect(sent.wait(timeout: .now() + 300) == .success)
        #expect(client.server.names == ["A"])
        #expect(acme.calls.isEmpty)
    }
}
