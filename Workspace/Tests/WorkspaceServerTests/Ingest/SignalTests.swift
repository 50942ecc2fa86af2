import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Signals in the workspace", .timeLimit(.minutes(30))) struct SignalTests {
    private static func signal(_ index: Int, type: String = "interaction", title: String = "Buy") -> JSON {
        [
            "anonymousId": "a-1", "type": .string(type), "index": .number(index),
            "timestamp": "2026-11-21T01:00:00.000Z",
            "data": ["target": ["component": "button", "title": .string(title)]],
        ]
    }

    private static func event(_ id: String, _ signal: JSON) -> JSON {
        [
            "type": "track", "event": "Segment Signal Generated", "messageId": .string(id), "anonymousId": "a-1",
            "timestamp": "2026-11-21T01:00:00.000Z", "properties": signal,
        ]
    }

    private func signals(_ client: TestClient, _ query: String = "") async throws -> [JSON] {
        try await client.get("/api/signals?order=asc\(query)").json["signals"]?.elements ?? []
    }

    @Test(
        "Events that carry signals are stored as signals and not as events, on every path",
        arguments: ["/v1/b", "/b", "/signals/v1/b", "/signals/b"])
    func events(path: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let batch: JSON = [
                "writeKey": "WK",
                "batch": [
                    Self.event("s-1", Self.signal(1)), Events.track(messageId: "m-1"),
                    Self.event("s-2", Self.signal(2, type: "navigation")),
                ],
            ]
            // A client that got no answer sends the same again.
            for _ in 0..<2 { #expect(try await client.post(path, batch).status == 200) }
            let found = try await signals(client)
            #expect(found.map { $0["signal"]?["index"] } == [1, 2])
            #expect(found.first?["signal"] == Self.signal(1))
            #expect(found.first?["writeKey"] == "WK")
            #expect(try await client.events().compactMap { $0["messageId"]?.stringValue } == ["m-1"])
            #expect(try await signals(client, "&type=navigation").count == 1)
            #expect(try await signals(client, "&writeKey=other").isEmpty)
        }
    }

    @Test("An event that only has the name of a signal stays an event")
    func onlyTheName() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await workspace.client.batch([
                Self.event("e-1", ["type": "something else"]), Self.event("e-2", ["no": "signal"]),
            ])
            #expect(try await workspace.client.events().count == 2)
            #expect(try await signals(workspace.client).isEmpty)
        }
    }

    @Test("Signals of a webhook are stored once, and invalid signals are kept with the reason")
    func webhook() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            func send(_ items: [JSON], path: String = "/v1/signals?writeKey=WK") async throws -> Int {
                try await client.post(path, .array(items)).status
            }
            #expect(try await send([Self.signal(1), Self.signal(2)]) == 200)
            #expect(
                try await send([Self.signal(2), Self.signal(3), 7, ["type": "dance"]], path: "/signals?writeKey=WK")
                    == 200)
            #expect(try await send([]) == 200)
            #expect(try await send([Self.signal(9)], path: "/v1/signals") == 401)
            #expect(try await client.post("/v1/signals?writeKey=WK", ["signals": []]).status == 400)
            let huge = Self.signal(4, title: String(repeating: "x", count: Limits.signalBytes))
            #expect(try await send([huge]) == 200)
            #expect(try await signals(client).map { $0["signal"]?["index"] } == [1, 2, 3])
            let rejected = try await client.get("/api/rejected?order=asc").json["rejected"]?.elements ?? []
            #expect(
                rejected.compactMap { $0["code"]?.stringValue } == ["not_an_object", "unknown_type", "event_too_large"])
        }
    }

    @Test("The event stream has signals, and a listener that reconnects gets the missed signals")
    func stream() async throws {
        try await TestWorkspace.run { workspace async throws in
            let url = workspace.client.url + "/api/stream"
            let live = try EventStreamClient.connect(url)
            var iterator = live.makeAsyncIterator()
            _ = await iterator.next()
            try await workspace.client.batch([Self.event("s-1", Self.signal(1))])
            var message = await iterator.next()
            while let found = message, found.event != "signal" { message = await iterator.next() }
            #expect(try message?.json["signal"]?["index"] == 1)
            try await workspace.client.batch([Self.event("s-2", Self.signal(2))])
            _ = try await signals(workspace.client)
            let missed = await (try EventStreamClient.connect(url, lastEventId: message?.id)).first(1, named: "signal")
            #expect(try missed.first?.json["signal"]?["index"] == 2)
        }
    }
}
