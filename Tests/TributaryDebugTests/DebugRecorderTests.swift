import TestSupport
import Testing
import TributaryJSON

@testable import Tributary
@testable import TributaryDebug

@Suite("The recorder of the debug overlay")
struct DebugRecorderTests {
    /// Adds a property, drops events that are called "Secret".
    private final class Marking: EventPlugin {
        let type = PluginType.enrichment
        weak var analytics: Analytics?

        func track(event: TrackEvent) -> TrackEvent? {
            guard event.event != "Secret" else { return nil }
            var event = event
            event.properties = ["marked": true]
            return event
        }
    }

    @Test("It records what each plugin did to an event, the newest event first")
    func steps() async {
        let client = Client()
        client.analytics.add(plugin: Marking())
        let recorder = DebugRecorder(client.analytics)
        client.analytics.track(name: "A")
        client.analytics.track(name: "Secret")
        #expect(await client.flushed() == .sent)
        let events = recorder.log.events
        #expect(events.map { $0.name } == ["Secret", "A"])
        #expect(events.map { $0.isKept } == [false, true])
        #expect(events.map { $0.id } == [2, 1])
        let step = events.last?.steps.first { $0.plugin.contains("Marking") }
        #expect(step?.outcome == "changed" && step?.stage == "enrichment")
        #expect(step?.changes.map { $0.path } == ["properties"] || step?.changes.first?.after?.contains("true") == true)
        #expect(events.first?.steps.contains { $0.outcome == "dropped" && $0.plugin.contains("Marking") } == true)
        #expect(DebugText.title(events[0]) == "track “Secret”, dropped")
        #expect(DebugText.steps(events[1]).contains { $0.contains("Marking changed") })
        #expect(recorder.eventCounters?.tracked == 2)
        // What the overlay records is for this device alone.
        #expect(client.server.traces.isEmpty)
        await client.ended()
    }

    @Test("It records diagnostics, and calls its observers")
    func diagnostics() async {
        let client = Client()
        let recorder = DebugRecorder(client.analytics)
        let calls = LockBox(0)
        let observation = recorder.observe { calls.withLock { $0 += 1 } }
        struct Problem: Error {}
        client.analytics.reportInternalError(Problem())
        await client.reported(.reported, count: 1)
        #expect(recorder.log.diagnostics.map { $0.diagnostic.kind } == [.reported])
        #expect(recorder.log.diagnostics.first.map { DebugText.line($0.diagnostic) }?.contains("reported: ") == true)
        #expect(calls.current == 1)
        observation.cancel()
        recorder.clear()
        #expect(calls.current == 1)
        #expect(recorder.log.diagnostics.isEmpty && recorder.log.recordedDiagnostics == 0)
        await client.ended()
    }

    @Test("A release build records nothing, and asks the client for no trace")
    func release() async {
        let client = Client()
        let recorder = DebugRecorder(client.analytics, isOn: false)
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
        #expect(recorder.log.events.isEmpty && recorder.log.recordedEvents == 0)
        #expect(client.analytics.pipeline.traceObservers.isEmpty)
        await client.ended()
    }

    @Test("After stop, and after the recorder is gone, the client makes no traces")
    func stop() async {
        let client = Client()
        let recorder = DebugRecorder(client.analytics)
        #expect(!client.analytics.pipeline.traceObservers.isEmpty)
        recorder.stop()
        #expect(client.analytics.pipeline.traceObservers.isEmpty)
        do {
            let short = DebugRecorder(client.analytics)
            #expect(short.log.events.isEmpty && !client.analytics.pipeline.traceObservers.isEmpty)
        }
        #expect(client.analytics.pipeline.traceObservers.isEmpty)
        await client.ended()
    }
}
