import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Results of scripts in the place of events") struct ScriptedBatchTests {
    private func batch(_ results: [ScriptedEvent?]) -> ScriptedBatch {
        let events = results.indices.map { index in
            StoredEvents.event(
                "m-\(index)", name: "E",
                body:
                    #"{"type":"track","event":"E","messageId":"m-\#(index)","userId":"u","timestamp":"2025-11-21T11:59:00Z"}"#
            )
        }
        var batch = IncomingBatch(source: 1, receivedAt: StoredEvents.noon, events: events)
        batch.upload = UploadTime(sentAt: StoredEvents.noon - 3_600_000, isFromUpload: true)
        let job = ScriptJob(sequence: 1, batch: batch, scripts: nil)
        return ScriptedBatch(job, results.map { $0.map { ScriptedBatch.Result($0, 7) } })
    }

    private func text(_ id: String, _ name: String) -> [UInt8] {
        Array(
            #"{"type":"track","event":"\#(name)","messageId":"\#(id)","userId":"v","timestamp":"2025-11-21T11:00:00Z"}"#
                .utf8)
    }

    @Test("Events are replaced, dropped and made in their order, with their version")
    func order() throws {
        let scripted = batch([
            ScriptedEvent(.unchanged), ScriptedEvent(.dropped, made: [text("m-1-1", "Made")]),
            ScriptedEvent(.changed(text("m-2", "Changed"))), nil,
        ])
        let events = scripted.batch.events
        #expect(events.map(\.messageId) == ["m-0", "m-1-1", "m-2", "m-3"])
        #expect(events.map(\.name) == ["E", "Made", "Changed", "E"])
        #expect(events.map(\.userId) == ["u", "v", "v", "u"])
        let bodies = try events.map { try JSON.parse($0.body) }
        #expect(bodies.map { $0["_metadata"]?["livePlugins"]?["workspace"]?.intValue } == [7, 7, 7, nil])
        // The clock of the sender is an hour behind, as the request says.
        #expect(events[2].times.timestamp == StoredEvents.noon)
        #expect(scripted.problems.isEmpty)
    }

    @Test("A result that is no event leaves the event as it was, and a made one is rejected with the reason")
    func unusable() throws {
        let broken = Array(#"{"type":"track","messageId":"m-0-1","userId":"u"}"#.utf8)
        let scripted = batch([ScriptedEvent(.changed(broken), made: [broken])])
        #expect(scripted.batch.events.map(\.name) == ["E"])
        #expect(scripted.problems.count == 1)
        #expect(scripted.batch.rejected.map(\.messageId) == ["m-0-1"])
        #expect(scripted.batch.rejected.first?.rejection.code == .noEventName)
    }

    @Test("The version is written beside other members of _metadata, and left out where it does not fit")
    func mark() throws {
        let own = Array(#"{"a":"1","_metadata":{"bundled":["A"],"livePlugins":{"device":3,"workspace":1}}}"#.utf8)
        let marked = try JSON.parse(ScriptMark.marked(own, version: 7))
        #expect(marked == ["a": "1", "_metadata": ["bundled": ["A"], "livePlugins": ["device": 3, "workspace": 7]]])
        #expect(ScriptMark.deviceVersion(in: own) == 3)
        #expect(ScriptMark.deviceVersion(in: Array(#"{"a":"_metadata"}"#.utf8)) == nil)
        let large = String(repeating: "x", count: Limits.largestEvent - 40)
        var batch = IncomingBatch(source: 1, receivedAt: StoredEvents.noon)
        batch.events = [StoredEvents.event("m", body: #"{"a":"\#(large)"}"#)]
        let job = ScriptJob(sequence: 1, batch: batch, scripts: nil)
        let kept = ScriptedBatch(job, [ScriptedBatch.Result(ScriptedEvent(.unchanged), 7)]).batch.events[0]
        #expect(kept.body == batch.events[0].body)
    }
}
