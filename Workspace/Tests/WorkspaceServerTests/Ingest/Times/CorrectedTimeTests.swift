import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Events that other SDKs and servers wrote the times of", .timeLimit(.minutes(30))) struct CorrectedTimeTests {
    /// Reads an event that arrives at noon in a batch that was sent by a clock which is an hour fast.
    private func read(_ members: JSON) throws -> EventTimes {
        var event: JSON = ["type": "track", "event": "E", "userId": "u", "messageId": "m"]
        for (key, value) in members.objectValue ?? [:] { event[key] = value }
        var reader = EventReader(receivedAt: try #require(ISO8601.milliseconds("2026-11-20T12:00:00Z")))
        reader.sentAt = ISO8601.milliseconds("2026-11-20T13:00:00Z")
        let bytes = event.encoded()
        return try bytes.withUnsafeBufferPointer { try reader.read(0..<$0.count, of: $0, madeId: "x").times }
    }

    private func text(_ milliseconds: Int64?) -> String? { milliseconds.map { ISO8601.string(milliseconds: $0) } }

    @Test("originalTimestamp is the time on the device when there is no timestamp, and is corrected like one")
    func original() throws {
        let times = try read(["originalTimestamp": "2026-11-20T12:30:00Z", "sentAt": "2026-11-20T13:00:00Z"])
        #expect(text(times.originalTimestamp) == "2026-11-20T12:30:00.000Z")
        #expect(text(times.timestamp) == "2026-11-20T11:30:00.000Z")
    }

    @Test("A timestamp that cannot be read gives way to an originalTimestamp that can be read")
    func unreadable() throws {
        let times = try read(["timestamp": "soon", "originalTimestamp": "2026-11-20T12:30:00Z"])
        #expect(text(times.originalTimestamp) == "2026-11-20T12:30:00.000Z")
    }

    @Test("Times that a server corrected before are not corrected again")
    func corrected() throws {
        let forwarded = try read([
            "timestamp": "2026-11-20T10:00:00Z", "originalTimestamp": "2026-11-20T11:00:00Z",
            "sentAt": "2026-11-20T11:30:00Z", "receivedAt": "2026-11-20T10:30:00Z",
        ])
        #expect(text(forwarded.timestamp) == "2026-11-20T10:00:00.000Z")
        #expect(text(forwarded.originalTimestamp) == "2026-11-20T11:00:00.000Z")
        #expect(text(forwarded.sentAt) == "2026-11-20T11:30:00.000Z")
        let exported = try read(["timestamp": "2026-11-20T10:00:00Z", "receivedAt": "2026-11-20T10:30:00Z"])
        #expect(text(exported.timestamp) == "2026-11-20T10:00:00.000Z")
        let both = try read(["timestamp": "2026-11-20T10:00:00Z", "originalTimestamp": "2026-11-20T11:00:00Z"])
        #expect(text(both.timestamp) == "2026-11-20T10:00:00.000Z")
    }

    @Test("An event with two equal times comes from a client, so its clock is corrected")
    func equalTimes() throws {
        let times = try read(["timestamp": "2026-11-20T12:30:00Z", "originalTimestamp": "2026-11-20T12:30:00Z"])
        #expect(text(times.timestamp) == "2026-11-20T11:30:00.000Z")
    }

    @Test("A forwarded event keeps the text of a time that could not be read")
    func forwarded() throws {
        let stored: JSON = [
            "messageId": "m", "timestamp": "2026-11-20T12:00:00.000Z", "originalTimestamp": .null,
            "receivedAt": "2026-11-20T12:00:00.000Z",
            "event": ["type": "track", "event": "E", "userId": "u", "messageId": "m", "timestamp": "20/11/2026"],
        ]
        let rules = ForwardingRules(destination: "Hook", routingRules: [])
        guard case .forward(let event) = rules.decide(stored, 1) else {
            Issue.record("the event is not forwarded")
            return
        }
        let body = try JSON.parse(event.body)
        #expect(body["originalTimestamp"] == "20/11/2026")
        #expect(body["timestamp"] == "2026-11-20T12:00:00.000Z")
    }

    @Test("A row of an export keeps its corrected time, also when its event says when it was sent")
    func exported() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/row.ndjson"
        let row = #"""
            {"timestamp":"2026-11-01T10:00:00.000Z","receivedAt":"2026-11-01T10:00:05.000Z","event":{"type":"track","event":"E",\#
            "userId":"u","messageId":"m","timestamp":"2026-11-01T11:00:00Z","sentAt":"2099-11-01T11:00:05Z"}}
            """#
        try row.write(toFile: path, atomically: true, encoding: .utf8)
        try await TestWorkspace.run { workspace async throws in
            let outcome = try await CommandRun.finish(
                ["import", path, "--write-key", "WK", "--server", workspace.client.url])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try await workspace.client.events().first?["timestamp"] == "2026-11-01T10:00:00.000Z")
        }
    }

    @Test("The bodies of other SDKs are stored with the device's time", arguments: ["/v1/batch", "/v1/track"])
    func stored(path: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            var event: JSON = [
                "type": "track", "event": "E", "userId": "u", "messageId": "m", "channel": "mobile",
                "originalTimestamp": "2026-11-01T10:00:00.123Z",
            ]
            if path == "/v1/track" { event["writeKey"] = "WK" }
            _ = try await workspace.client.post(
                path, path == "/v1/track" ? event : ["writeKey": "WK", "batch": [event]])
            let stored = try #require(try await workspace.client.events().first)
            #expect(stored["originalTimestamp"] == "2026-11-01T10:00:00.123Z")
            #expect(stored["timestamp"] == "2026-11-01T10:00:00.123Z")
        }
    }
}
