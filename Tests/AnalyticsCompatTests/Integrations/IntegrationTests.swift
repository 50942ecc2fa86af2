import Dispatch
import Foundation
import TestSupport
import Testing

@testable import AnalyticsCompat

@Suite("Integrations")
struct IntegrationTests {
    private func events(_ recording: RecordingIntegration) -> [String] { recording.calls.filter { $0 != "flush" } }

    @Test("Events wait on disk until settings come, survive the process, and then reach the integration")
    func beforeSettings() async throws {
        let folder = try TemporaryFolder()
        let first = CompatClient(nil, folder: folder.url) { $0.use(TestFactory("A")) }
        first.analytics.track("a")
        let copy = try folder.copy()
        let recording = RecordingIntegration()
        let second = CompatClient(["integrations": ["A": [:]]], folder: copy.url) {
            $0.use(TestFactory("A", recording))
        }
        second.analytics.track("b")
        await second.flushed()
        #expect(events(recording) == ["track a", "track b"])
        await first.ended()
        await second.ended()
    }

    @Test("Integrations are made in the order of use, and each gets all calls in their order")
    func order() async {
        let recordings = (0..<3).map { _ in RecordingIntegration() }
        let client = CompatClient(["integrations": ["C": [:], "B": [:], "A": [:]]]) { config in
            for (key, recording) in zip(["B", "A", "C"], recordings) { config.use(TestFactory(key, recording)) }
        }
        client.analytics.track("a")
        client.analytics.receivedRemoteNotification(["a": 1])
        client.analytics.identify("u")
        client.analytics.reset()
        client.analytics.screen("s")
        client.analytics.middlewarePlugin?.happened(.didBecomeActive, name: "Active")
        client.analytics.track("b")
        await client.processed()
        let calls = ["track a", "received 1", "identify u", "reset", "screen s", "active", "track b"]
        for recording in recordings { #expect(recording.calls == calls) }
        #expect(client.analytics.find(pluginType: IntegrationDestination.self)?.key == "B")
        #expect(client.analytics.findAll(pluginType: IntegrationDestination.self)?.map(\.key) == ["B", "A", "C"])
        await client.flushed()
        #expect(client.server.events[0]["_metadata"]?["bundled"] == ["B", "A", "C"])
    }

    @Test("Each call reaches all integrations in their order before the next call reaches any")
    func turns() async {
        let log = LockBox<[String]>([])
        let client = CompatClient(["integrations": ["C": [:], "B": [:], "A": [:]]]) { config in
            for key in ["B", "A", "C"] {
                let recording = RecordingIntegration { payload in log.withLock { $0.append("\(payload.event) \(key)") }
                }
                config.use(TestFactory(key, recording))
            }
        }
        let names = (0..<100).map { "\($0)" }
        for name in names { client.analytics.track(name) }
        await client.processed()
        #expect(log.withLock { $0 } == names.flatMap { ["\($0) B", "\($0) A", "\($0) C"] })
    }

    @Test("A factory that does not return delays the others for five seconds only")
    func stuckFactory() async {
        let gate = DispatchSemaphore(value: 0)
        let recording = RecordingIntegration()
        let client = CompatClient(["integrations": ["Stuck": [:], "A": [:]]]) { config in
            config.use(StuckFactory(gate: gate))
            config.use(TestFactory("A", recording))
        }
        client.analytics.track("a")
        await StuckFactory.began.wait()
        client.time.advance(by: 5)
        await client.diagnostics.wait(text: "the factory has not returned")
        await client.processed()
        #expect(events(recording) == ["track a"])
        gate.signal()
    }

    @Test(
        "In an event's integrations dictionaries and numbers count as yes, and All and all cover the keys that are not named"
    )
    func options() async {
        let recording = RecordingIntegration()
        let client = CompatClient(["integrations": ["A": [:]]]) { $0.use(TestFactory("A", recording)) }
        func track(_ name: String, _ integrations: [String: Any]) {
            client.analytics.track(name, properties: nil, options: ["integrations": integrations])
        }
        track("dictionary", ["A": ["a": 1], "All": false])
        track("yes", ["A": true, "All": false])
        track("no", ["A": false])
        track("All", ["All": false])
        track("all", ["all": false])
        track("not named", ["B": false])
        track("text", ["A": "yes"])
        await client.flushed()
        #expect(events(recording) == ["track dictionary", "track yes", "track not named", "track text"])
        #expect(client.server.names.count == 7)
    }

    @Test(
        "The tracking plan decides by event, by integration and by default, and never about the server",
        arguments: [
            ([:], true), (["track": [:]], true), (["track": ["e": ["enabled": true]]], true),
            (["track": ["e": ["enabled": false]]], false),
            (["track": ["e": ["enabled": true, "integrations": ["A": true]]]], true),
            (["track": ["e": ["enabled": true, "integrations": ["A": false]]]], false),
            (["track": ["__default": ["enabled": false]]], false),
            (["track": ["__default": ["enabled": false], "e": ["enabled": true]]], true),
        ] as [(JSON, Bool)])
    func plan(plan: JSON, isAllowed: Bool) async {
        let recording = RecordingIntegration()
        let client = CompatClient(["integrations": ["A": [:]], "plan": plan]) { $0.use(TestFactory("A", recording)) }
        client.analytics.track("e")
        client.analytics.screen("s")
        await client.flushed()
        #expect(events(recording) == (isAllowed ? ["track e", "screen s"] : ["screen s"]))
        #expect(client.server.events.count == 2)
    }

    @Test("An integration may track from any callback, without a deadlock, and its events arrive once")
    func trackingBack() async {
        let client = LockBox<Analytics?>(nil)
        let recording = RecordingIntegration { payload in
            if payload.event == "a" { client.withLock { $0 }?.track("back") }
        }
        let compat = CompatClient(["integrations": ["A": [:]]]) { $0.use(TestFactory("A", recording)) }
        client.withLock { $0 = compat.analytics }
        compat.analytics.track("a")
        await compat.flushed()
        await compat.flushed()
        #expect(compat.server.names == ["a", "back"])
        #expect(events(recording) == ["track a", "track back"])
        client.withLock { $0 = nil }
    }

    @Test("A destination's own plugins and the user's consent apply to it by its key")
    func timeline() async {
        let recording = RecordingIntegration()
        let client = CompatClient(["integrations": ["A": [:]]]) {
            $0.use(TestFactory("A", recording))
        } options: {
            $0.consentCategories(["A": ["ads"]])
        }
        client.analytics.setConsent(.granted, categories: ["ads": false])
        client.analytics.track("refused")
        await client.processed()
        client.analytics.setConsent(.granted, categories: ["ads": true])
        client.analytics.find(key: "A")?.add(
            plugin: Recorder { event in
                guard var track = event as? TrackEvent else { return event }
                track.event = "changed"
                return track
            })
        client.analytics.track("allowed")
        await client.flushed()
        #expect(events(recording) == ["track changed"])
        #expect(client.server.names == ["refused", "allowed"])
    }

    @Test("A webhook integration needs no settings, and gets each event by itself as the server does")
    func webhook() async throws {
        let client = CompatClient { config in
            config.use(WebhookIntegrationFactory(name: "mine", webhookUrl: "http://hook.test/path"))
        }
        client.analytics.track("a", properties: ["b": 1])
        client.analytics.identify("u")
        await client.flushed()
        let posted = client.server.requests(to: "hook.test")
        #expect(posted.count == 2)
        let body = try JSON.parse(posted[0].body ?? [])
        #expect(body["event"] == "a" && body["properties"] == ["b": 1])
        #expect(body["messageId"] == client.server.events.first { $0["event"] == "a" }?["messageId"])
        #expect(Array(client.analytics.bundledIntegrations().keys) == ["webhook_mine"])
    }

    @Test("Null values in settings are accepted")
    func nullSettings() async {
        let client = CompatClient(["integrations": ["A": .null, "B": ["x": .null]], "plan": .null]) { config in
            config.use(TestFactory("A"))
            config.use(TestFactory("B"))
        }
        client.analytics.track("a")
        await client.flushed()
        #expect(client.server.names == ["a"])
        #expect(Array(client.analytics.bundledIntegrations().keys) == ["B"])
    }

    @Test("A notification is posted when an integration was made")
    func notification() async {
        let key = "N-\(UUID().uuidString)"
        let told = LockBox<[String]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: .integrationDidStart, object: nil, queue: nil
        ) { note in
            if let name = note.object as? String { told.withLock { $0.append(name) } }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let client = CompatClient(["integrations": [key: [:], "\(key)-none": [:]]]) { config in
            config.use(TestFactory(key))
            config.use(TestFactory("\(key)-none", nil))
        }
        await client.processed()
        #expect(told.withLock { $0.filter { $0.hasPrefix(key) } } == [key])
    }
}

/// A factory whose call returns when the test allows it.
private final class StuckFactory: SEGIntegrationFactory {
    static let began = Happening()
    private let gate: DispatchSemaphore

    init(gate: DispatchSemaphore) { self.gate = gate }

    func create(withSettings settings: [AnyHashable: Any], for analytics: Analytics) -> (any Integration)? {
        Self.began.send()
        gate.wait()
        return nil
    }

    func key() -> String { "Stuck" }
}
