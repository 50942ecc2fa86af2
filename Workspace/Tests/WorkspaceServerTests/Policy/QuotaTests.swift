import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Quotas", .timeLimit(.minutes(30))) struct QuotaTests {
    private let clock = TestClock()

    private func run(
        in folder: TemporaryFolder, _ body: (TestClient) async throws -> Void
    ) async throws {
        var environment = WorkspaceEnvironment.system
        let clock = clock
        environment.now = { clock.now }
        try await TestWorkspace.run(in: folder, writeKeys: ["WK", "OTHER"], environment: environment) {
            try await body($0.client)
        }
    }

    private func send(_ client: TestClient, _ ids: String...) async throws -> TestClient.Answer {
        try await client.batch(ids.map { Events.track(messageId: $0) })
    }

    @Test("A daily quota survives a restart and is full again on the next day")
    func day() async throws {
        let folder = try TemporaryFolder()
        try await run(in: folder) { client async throws in
            #expect(try await client.put("/api/sources/WK/policy", #"{"quota":{"eventsPerDay":3}}"#).status == 200)
            #expect(try await send(client, "m-1", "m-2").status == 200)
            // The batch that reaches the quota is accepted as a whole.
            #expect(try await send(client, "m-3", "m-4").status == 200)
            let refused = try await send(client, "m-5")
            #expect(refused.status == 429)
            // 2023-11-14T22:13:20Z: the day has 6400 seconds left.
            #expect(refused.header("Retry-After") == "6400")
            #expect(try await client.batch([Events.track(messageId: "m")], writeKey: "OTHER").status == 200)
            #expect(try await client.events().count == 5)
        }
        try await run(in: folder) { client async throws in
            #expect(try await send(client, "m-5").status == 429)
            clock.advance(by: 6_400_000)
            #expect(try await send(client, "m-5").status == 200)
            #expect(try await client.put("/api/sources/WK/policy", #"{"quota":null}"#).status == 200)
            #expect(try await send(client, "m-6", "m-7", "m-8", "m-9").status == 200)
            #expect(try await send(client, "m-10").status == 200)
        }
    }

    @Test("The request quota refills with time, and a clock that goes back takes nothing away")
    func rate() async throws {
        try await run(in: TemporaryFolder()) { client async throws in
            _ = try await client.put("/api/sources/WK/policy", #"{"quota":{"requestsPerSecond":2}}"#)
            #expect(try await send(client, "1").status == 200)
            #expect(try await send(client, "2").status == 200)
            let refused = try await send(client, "3")
            #expect(refused.status == 429)
            #expect(refused.header("Retry-After") == "1")
            clock.advance(by: 500)
            #expect(try await send(client, "3").status == 200)
            #expect(try await send(client, "4").status == 429)
            clock.advance(by: -3_600_000)
            #expect(try await send(client, "4").status == 429)
            clock.advance(by: 1_000)
            #expect(try await send(client, "4").status == 200)
        }
    }

    @Test(
        "An invalid policy changes nothing",
        arguments: [
            #"{"quota":{"eventsPerDay":0}}"#, #"{"quota":{"perDay":1}}"#, #"{"ip":"hide"}"#, #"{"limit":1}"#, "[]",
            #"{"signals":{"sampleRate":2}}"#, #"{"signals":{"sources":{"camera":{}}}}"#,
            #"{"signals":{"sources":{"network":{"enabled":1}}}}"#,
        ])
    func refused(policy: String) async throws {
        try await run(in: TemporaryFolder()) { client async throws in
            let before = try await client.get("/api/sources/WK/policy").json
            #expect(try await client.put("/api/sources/WK/policy", policy).status == 400)
            #expect(try await client.get("/api/sources/WK/policy").json == before)
        }
    }
}
