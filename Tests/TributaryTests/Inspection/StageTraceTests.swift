import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Traces of events for the inspector")
struct StageTraceTests {
    @Test("A trace has each stage with its change, and the plugin that dropped the event")
    func stages() async throws {
        let client = Client { $0.inspector(true) }
        client.analytics.add(
            plugin: Recorder(.enrichment, name: "Fix") { event in
                guard var track = event as? TrackEvent, track.event != "Debug" else { return nil }
                let id = track.properties?["did"]
                track.properties?["id"] = id
                track.properties?["did"] = nil
                return track
            })
        let now = ISO8601.string(milliseconds: client.time.milliseconds)
        client.analytics.track(name: "Viewed", properties: ["did": 7])
        client.analytics.track(name: "Debug")
        await client.flushed()
        let traces = client.server.traces
        #expect(traces.map { $0["outcome"] } == ["sent", "dropped"])
        #expect(traces[0]["stages"]?[0]?["plugin"] == "Context")
        #expect(traces[0]["stages"]?[0]?["builtIn"] == true)
        let fix = try #require(traces[0]["stages"]?.elements?.first { $0["plugin"] == "Fix" })
        #expect(fix["outcome"] == "changed")
        #expect(fix["builtIn"] == nil)
        #expect(
            fix["changes"]
                == [["path": "properties.did", "before": 7], ["path": "properties.id", "after": 7]])
        #expect(traces[0]["stages"]?.elements?.last?["destination"] == "Segment.io")
        #expect(traces[0]["stages"]?.elements?.last?["outcome"] == "delivered")
        #expect(traces[1]["droppedBy"] == ["stage": "enrichment", "plugin": "Fix"])
        #expect(traces[0]["messageId"] == client.server.events[0]["messageId"])
        #expect(traces[0]["trackedAt"]?.stringValue == now)
    }

    @Test("No traces are sent unless the inspector is on")
    func off() async {
        let client = Client()
        client.analytics.track(name: "A")
        await client.flushed()
        #expect(client.server.traces.isEmpty)
    }

    @Test("Differences of two events have the deepest place that differs")
    func changes() {
        let before: JSONObject = ["a": 1, "b": ["c": 2, "d": 3], "e": [1]]
        let after: JSONObject = ["a": 1, "b": ["c": 4, "f": 5], "e": [2]]
        #expect(
            JSONChange.between(before, after) == [
                JSONChange(path: "b.c", before: 2, after: 4), JSONChange(path: "b.d", before: 3, after: nil),
                JSONChange(path: "b.f", before: nil, after: 5), JSONChange(path: "e", before: [1], after: [2]),
            ])
        #expect(JSONChange.between(before, after, limit: 2).count == 2)
    }
}
