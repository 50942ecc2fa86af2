import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary
@testable import TributaryInspector

@Suite("The inspector in the app")
struct ClientInspectorTests {
    /// Adds a property, drops events that are called "Secret".
    private final class Marking: EventPlugin {
        let type = PluginType.enrichment
        let name = "Marking"
        weak var analytics: Analytics?

        func track(event: TrackEvent) -> TrackEvent? {
            guard event.event != "Secret" else { return nil }
            var event = event
            event.properties = ["marked": true]
            return event
        }
    }

    // MARK: The recording

    @Test("It records what each plugin did to an event, the newest event first")
    func steps() async {
        let client = Client()
        client.analytics.add(plugin: Marking())
        let inspector = ClientInspector(client.analytics)
        client.analytics.track(name: "A")
        client.analytics.track(name: "Secret")
        #expect(await client.flushed() == .sent)
        let events = inspector.log.events
        #expect(events.map { $0.name } == ["Secret", "A"])
        #expect(events.map { $0.isKept } == [false, true])
        #expect(events.map { $0.id } == [2, 1])
        let step = events.last?.steps.first { $0.plugin == "Marking" }
        #expect(step?.outcome == "changed" && step?.stage == "enrichment")
        #expect(step?.changes.map { $0.path } == ["properties"] || step?.changes.first?.after?.contains("true") == true)
        #expect(events.first?.steps.contains { $0.outcome == "dropped" && $0.plugin == "Marking" } == true)
        #expect(InspectorText.steps(events[1]).contains { $0.contains("Marking changed") })
        #expect(inspector.eventCounters?.tracked == 2)
        // What the inspector records is for this device alone.
        #expect(client.server.traces.isEmpty)
        await client.ended()
    }

    @Test("An event that did not leave names who dropped it")
    func dropped() async {
        let client = Client()
        client.analytics.add(plugin: Marking())
        let inspector = ClientInspector(client.analytics)
        client.analytics.track(name: "Secret")
        client.analytics.track(name: "Kept")
        await client.flushed()
        let events = inspector.log.events
        #expect(events.map { $0.droppedBy } == [nil, "Marking"])
        #expect(InspectorText.title(events[1]) == "track “Secret”, dropped by Marking")
        #expect(inspector.state.text.contains("track “Secret”, dropped by Marking"))
        #expect(inspector.state.text.contains("2 tracked, 1 confirmed by the server, 1 dropped by plugins"))
        await client.ended()
    }

    @Test("It records diagnostics, and calls its observers")
    func diagnostics() async {
        let client = Client()
        let inspector = ClientInspector(client.analytics)
        await client.executed()
        let calls = LockBox(0)
        let observation = inspector.observe { calls.withLock { $0 += 1 } }
        struct Problem: Error {}
        client.analytics.reportInternalError(Problem())
        await client.reported(.reported, count: 1)
        #expect(inspector.log.diagnostics.map { $0.diagnostic.kind } == [.reported])
        #expect(
            inspector.log.diagnostics.first.map { InspectorText.line($0.diagnostic) }?.contains("reported: ") == true)
        #expect(calls.current == 1)
        observation.cancel()
        inspector.clear()
        #expect(calls.current == 1)
        #expect(inspector.log.diagnostics.isEmpty && inspector.log.recordedDiagnostics == 0)
        await client.ended()
    }

    @Test("A release build records nothing, asks the client for no trace, and cannot hold delivery")
    func release() async {
        let client = Client()
        let inspector = ClientInspector(client.analytics, isOn: false)
        inspector.holdsDelivery = true
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
        #expect(inspector.log.events.isEmpty && inspector.log.recordedEvents == 0)
        #expect(client.analytics.pipeline.traceObservers.isEmpty && client.analytics.signalObservers.isEmpty)
        #expect(!inspector.holdsDelivery && inspector.state.client == nil)
        #expect(inspector.state.text.hasPrefix("The inspector is off in release builds"))
        await client.ended()
    }

    @Test("An app can switch it on for a release build")
    func switchedOn() {
        let client = Client()
        #expect(ClientInspector(client.analytics, inReleaseBuilds: true).isOn)
        #expect(ClientInspector(client.analytics).isOn == ClientInspector.isDebugBuild)
    }

    @Test("After stop, and after the inspector is gone, the client makes no traces")
    func stop() async {
        let client = Client()
        let inspector = ClientInspector(client.analytics)
        #expect(!client.analytics.pipeline.traceObservers.isEmpty)
        inspector.stop()
        #expect(client.analytics.pipeline.traceObservers.isEmpty)
        do {
            let short = ClientInspector(client.analytics)
            #expect(short.log.events.isEmpty && !client.analytics.pipeline.traceObservers.isEmpty)
        }
        #expect(client.analytics.pipeline.traceObservers.isEmpty && client.analytics.signalObservers.isEmpty)
        await client.ended()
    }

    // MARK: Holding delivery

    @Test("A held client delivers nothing and says why, and delivers everything in order after the release")
    func held() async {
        let client = Client { $0.flushAt(1) }
        let inspector = ClientInspector(client.analytics)
        inspector.holdsDelivery = true
        for number in 1...3 { client.analytics.track(name: "E\(number)") }
        await client.processed()
        await client.attempted()
        #expect(client.server.batches.isEmpty)
        let state = inspector.state
        #expect(state.client?.delivery.obstacle?.kind == .held)
        #expect(state.client?.delivery.waiting == 3 && state.client?.holdsDelivery == true)
        #expect(state.client?.oldestWaiting != nil)
        #expect(state.text.contains("delivery: held: the inspector holds delivery"), "\(state.text)")
        #expect(state.text.contains("queue: 3 events wait; 0 for plugins, 3 for the server; "), "\(state.text)")
        let result = await client.analytics.flush(timeout: 0)
        #expect(result == .timedOut(remaining: 3, reason: "the inspector holds delivery"))
        inspector.holdsDelivery = false
        // Without another event and without a flush: what was due is sent.
        await client.server.confirmed(3)
        #expect(client.server.names == ["E1", "E2", "E3"])
        await client.ended()
    }

    @Test("A restart delivers what an earlier launch held")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url)
        let inspector = ClientInspector(first.analytics)
        inspector.holdsDelivery = true
        first.analytics.track(name: "A")
        await first.processed()
        await first.attempted()
        #expect(first.server.batches.isEmpty)
        await first.ended()
        let second = Client(folder: folder.url)
        #expect(await second.flushed() == .sent)
        #expect(second.server.names == ["A"])
        await second.ended()
    }

    @Test("Without its inspector, a client delivers again")
    func gone() async {
        let client = Client()
        do {
            let inspector = ClientInspector(client.analytics)
            inspector.holdsDelivery = true
            #expect(client.analytics.holdsDelivery)
        }
        #expect(!client.analytics.holdsDelivery)
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
        await client.ended()
    }

    @Test("The conditions of the app count, whatever the inspector holds")
    func conditions() async {
        struct NoNetwork: UploadConditions {
            var obstacle: UploadObstacle? { UploadObstacle("there is no Wi-Fi") }
            func observe(_ changed: @escaping @Sendable () -> Void) {}
        }
        let client = Client { $0.uploadConditions(NoNetwork()) }
        let inspector = ClientInspector(client.analytics)
        inspector.holdsDelivery = true
        inspector.holdsDelivery = false
        client.analytics.track(name: "A")
        await client.processed()
        await client.attempted()
        #expect(client.server.batches.isEmpty)
        #expect(inspector.state.text.contains("delivery: idle: there is no Wi-Fi"), "\(inspector.state.text)")
        await client.ended()
    }

    // MARK: The client

    @Test("Consent that the user has not given is the obstacle, with the events that wait for it")
    func consent() async {
        let client = Client { $0.consent(.pending) }
        let inspector = ClientInspector(client.analytics)
        client.analytics.track(name: "A")
        await client.processed()
        await client.attempted()
        let text = inspector.state.text
        #expect(text.contains("consent: pending"))
        #expect(text.contains("queue: 1 event waits; 0 for plugins, 0 for the server"), "\(text)")
        #expect(text.contains("the user has not decided about consent"), "\(text)")
        #expect(inspector.log.events.isEmpty)
        await client.ended()
    }

    @Test("A pause after a failure is named with its end and its reason")
    func paused() async {
        let client = Client()
        let inspector = ClientInspector(client.analytics)
        client.server.answerNext(503)
        client.analytics.track(name: "A")
        await client.processed()
        await client.attempted()
        let text = inspector.state.text
        #expect(text.contains("delivery: paused until 20"), "\(text)")
        #expect(text.contains("requests without success in a row: 1"), "\(text)")
        await client.ended()
    }

    @Test("An inspector does not keep its client, and shows when the client is gone")
    func clientGone() {
        var client: Client? = Client()
        let inspector = client.map { ClientInspector($0.analytics) }
        client = nil
        #expect(inspector?.state.client == nil)
        #expect(inspector?.state.text.hasPrefix("The client is gone.") == true)
        inspector?.holdsDelivery = true
        #expect(inspector?.holdsDelivery == false)
    }

    // MARK: The page of the workspace

    @Test("The page of the workspace shows the events of the device")
    func page() async {
        let client = Client()
        let inspector = ClientInspector(client.analytics)
        let id = client.analytics.anonymousId
        #expect(
            inspector.state.client?.workspacePage?.absoluteString
                == "http://server.test/people?source=KEY&anonymous=\(id)")
        await client.ended()
    }

    @Test(
        "A workspace behind a path has its page there, and an id may have any letters",
        arguments: [
            ("https://host:8443/v1/b", "K", "a", "https://host:8443/people?source=K&anonymous=a"),
            ("https://host/analytics/v1/b", "K", "a", "https://host/analytics/people?source=K&anonymous=a"),
            ("https://u:p@host/v1/b", "K", "a", "https://host/people?source=K&anonymous=a"),
            ("http://host/b", "K+1", "a&b=c +é", "http://host/people?source=K%2B1&anonymous=a%26b%3Dc%20%2B%C3%A9"),
        ])
    func addresses(uploads: String, writeKey: String, anonymousId: String, page: String) {
        let found = WorkspacePage.address(
            uploads: URL(string: uploads), writeKey: writeKey, anonymousId: anonymousId)
        #expect(found?.absoluteString == page)
    }

    @Test("Another service has no such page", arguments: ["https://signals.segment.io/v1/b", "https://segment.io/b"])
    func elsewhere(uploads: String) {
        #expect(WorkspacePage.address(uploads: URL(string: uploads), writeKey: "K", anonymousId: "a") == nil)
        #expect(WorkspacePage.address(uploads: nil, writeKey: "K", anonymousId: "a") == nil)
    }
}
