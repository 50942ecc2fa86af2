import Foundation
import Testing
import Tributary
import TributaryTesting

@Suite("A client that records its events")
struct EventRecordingTests {
    private final class NoSecrets: EventPlugin {
        let type = PluginType.enrichment
        weak var analytics: Analytics?
        func track(event: TrackEvent) -> TrackEvent? { event.event == "Secret" ? nil : event }
    }

    @Test("Events are those that a server would get, in their order and with their types")
    func recorded() async {
        // A host that does not exist: nothing asks for it.
        let configuration = Configuration(writeKey: "KEY").apiHost("nowhere.invalid/v1").cdnHost("nowhere.invalid/v1")
        let recording = configuration.recordsEvents()
        let analytics = Analytics(configuration: configuration)
        analytics.add(plugin: NoSecrets())
        #expect(recording.sent.isEmpty)
        analytics.identify(userId: "u-1")
        analytics.track(name: "Order Completed", properties: ["total": 42])
        analytics.track(name: "Secret")
        analytics.screen(title: "Basket")
        let events = await recording.events(of: analytics)
        #expect(events.map { $0.type } == ["identify", "track", "screen"])
        #expect(events.names == ["Order Completed"])
        #expect(events.tracks.first?.properties == ["total": 42])
        #expect(recording.sent.count == 3)
        await withCheckedContinuation { done in analytics.shutdown { done.resume() } }
    }

    @Test("What consent keeps back is not recorded, and the client's storage is memory")
    func pending() async {
        let configuration = Configuration(writeKey: "KEY").consent(.pending).storageMode(.disk)
        let recording = configuration.recordsEvents()
        let analytics = Analytics(configuration: configuration)
        analytics.track(name: "A")
        #expect(recording.sent.isEmpty)
        #expect(analytics.storageState.reason == .memoryMode)
        await withCheckedContinuation { done in analytics.setConsent(.granted) { done.resume() } }
        #expect(await recording.events(of: analytics).names == ["A"])
        await withCheckedContinuation { done in analytics.shutdown { done.resume() } }
    }
}
