import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Waiting for events", .timeLimit(.minutes(30))) struct WaitTests {
    @Test("A wait finds a stored event at once")
    func there() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            try await client.batch([
                Events.track(messageId: "m-1", name: "A"), Events.track(messageId: "m-2", name: "B"),
            ])
            let answer = try await client.get("/api/wait-for-event?name=B&timeout=0")
            #expect(answer.status == 200)
            #expect(try answer.json["events"]?[0]?["messageId"] == "m-2")
            let late = try await client.get("/api/wait-for-event?name=B&after=2&timeout=0")
            #expect(late.status == 404)
            #expect(try late.json["error"] == "0 of 1 matching events came within 0 seconds")
        }
    }

    @Test("A later event ends the wait")
    func later() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            async let answer = client.get("/api/wait-for-event?userId=late&count=2&timeout=60")
            for number in 0..<4 {
                try await client.batch([
                    Events.track(messageId: "m-\(number)", userId: number.isMultiple(of: 2) ? "late" : "early")
                ])
            }
            let events = try await answer.json["events"]?.elements
            #expect(events?.map { $0["messageId"] } == ["m-0", "m-2"])
        }
    }

    @Test("A wait with conditions compares the content of stored and later events")
    func conditions() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            func order(_ number: Int, total: Int) -> JSON {
                var event = Events.track(messageId: "m-\(number)", name: "Order")
                event["properties"] = ["total": .number(total)]
                return event
            }
            try await client.batch([order(0, total: 5), order(1, total: 20)])
            let first = try await client.get("/api/wait-for-event?name=Order&where=properties.total%3E10&timeout=0")
            #expect(try first.json["events"]?.elements?.map { $0["messageId"] } == ["m-1"])
            async let answer = client.get("/api/wait-for-event?where=properties.total%3E10&count=3&timeout=60")
            for number in 2..<6 {
                try await client.batch([order(number, total: number.isMultiple(of: 2) ? 5 : 20)])
            }
            #expect(try await answer.json["events"]?.elements?.map { $0["messageId"] } == ["m-1", "m-3", "m-5"])
            let none = try await client.get("/api/wait-for-event?where=properties.total%3E50&timeout=0")
            #expect(none.status == 404)
            #expect(try await client.get("/api/wait-for-event?where=.&timeout=0").status == 400)
        }
    }

    @Test("A pending wait does not delay the stop of the server")
    func stop() async throws {
        let status = try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            return Task { try? await client.get("/api/wait-for-event?name=never&timeout=60").status }
        }
        let answered = await status.value
        #expect(answered == nil || answered == 404 || answered == 503)
    }

    @Test("A wait beyond the limits is refused", arguments: ["timeout=61", "count=0", "count=101", "timeout=x"])
    func limits(query: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            #expect(try await workspace.client.get("/api/wait-for-event?\(query)").status == 400)
        }
    }

    @Test("A wait ends at once after an earlier commit, and a cancelled wait ends")
    func commitSignal() async {
        let commitSignal = CommitSignal()
        let seen = commitSignal.count
        commitSignal.notify()
        await commitSignal.wait(after: seen)
        let waiting = Task { await commitSignal.wait(after: commitSignal.count) }
        waiting.cancel()
        await waiting.value
    }
}
