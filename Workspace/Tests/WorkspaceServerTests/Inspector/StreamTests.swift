import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite(.timeLimit(.minutes(30))) struct StreamTests {
    @Test("A listener gets each stored event and trace")
    func storedEvents() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let stream = try EventStreamClient.connect(client.url + "/api/stream")
            #expect(await stream.first(1, named: "stats").count == 1)
            try await client.batch([Events.track(messageId: "m-1"), Events.track(messageId: "m-2")])
            let events = await stream.first(2, named: "event")
            #expect(events.map(\.id) == ["1", "2"])
            let listed = try await client.events()
            #expect(try events.map { try $0.json } == listed)
            _ = try await client.post("/v1/traces", ["writeKey": "WK", "traces": [Events.trace("m-1")]])
            let trace = await stream.first(1, named: "trace")
            #expect(trace.first?.id == "3")
            #expect(try trace.first?.json["stages"] == Events.trace("m-1")["stages"])
        }
    }

    @Test("A listener gets the statistics when the statistics change")
    func statistics() async throws {
        try await TestWorkspace.run { workspace async throws in
            let stream = try EventStreamClient.connect(workspace.client.url + "/api/stream")
            let first = await stream.first(1, named: "stats")
            #expect(try first.first?.json["stored"] == 0)
            try await workspace.client.batch([Events.track(messageId: "m")])
            for await message in stream where message.event == "stats" {
                guard try message.json["stored"] == 1 else { continue }
                let asked = try await workspace.client.get("/api/stats").json
                #expect(try message.json == asked)
                return
            }
            Issue.record("the stream ended before the figures came")
        }
    }

    @Test("A listener gets heartbeats while no event comes")
    func heartbeats() async throws {
        try await TestWorkspace.run { workspace async throws in
            let stream = try EventStreamClient.connect(workspace.client.url + "/api/stream")
            #expect(await stream.first(3, named: "alive").count == 3)
        }
    }

    @Test("A listener that reconnects gets every message since its last position")
    func reconnect() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            // The listener misses more than one page of events with traces between them.
            for part in 0..<5 {
                try await client.batch((0..<50).map { Events.track(messageId: "m-\(part)-\($0)") })
                _ = try await client.post(
                    "/v1/traces", ["writeKey": "WK", "traces": [Events.trace("m-\(part)-0")]])
            }
            let stream = try EventStreamClient.connect(client.url + "/api/stream", lastEventId: "10")
            try await client.batch([Events.track(messageId: "live")])
            var ids: [Int] = []
            for await message in stream {
                guard let id = message.id.flatMap({ Int($0) }) else { continue }
                ids.append(id)
                if id == 256 { break }
            }
            #expect(ids == Array(11...256))
            let query = try EventStreamClient.connect(client.url + "/api/stream?lastEventId=255")
            #expect(await query.first(1, named: "event").first?.id == "256")
        }
    }

    @Test("A position that is no sequence number is refused")
    func badPosition() async throws {
        try await TestWorkspace.run { workspace async throws in
            #expect(try await workspace.client.get("/api/stream?lastEventId=x").status == 400)
        }
    }

    @Test("A stop of the server ends the stream")
    func stop() async throws {
        let stream = try await TestWorkspace.run { workspace async throws in
            let stream = try EventStreamClient.connect(workspace.client.url + "/api/stream")
            _ = await stream.first(1, named: "stats")
            return stream
        }
        for await _ in stream {}
    }
}
