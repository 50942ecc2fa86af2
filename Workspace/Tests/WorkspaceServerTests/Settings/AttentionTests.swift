import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Intervals in the settings for looks and reports of devices", .timeLimit(.minutes(30))) struct AttentionTests {
    private let clock = TestClock()
    private let path = "/api/sources/WK/live-plugins"

    private func run(_ body: (TestClient) async throws -> Void) async throws {
        var environment = WorkspaceEnvironment.testing
        let clock = clock
        environment.now = { clock.now }
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            try await body(workspace.client)
        }
    }

    private func expect(
        _ client: TestClient, look: JSON?, report: JSON, cached: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await client.get("/v1/projects/WK/settings")
        #expect(try answer.json["settingsInterval"] == look, sourceLocation: sourceLocation)
        #expect(try answer.json["healthReports"]?["minimumSeconds"] == report, sourceLocation: sourceLocation)
        #expect(answer.header("Cache-Control") == "private, max-age=\(cached)", sourceLocation: sourceLocation)
    }

    /// Deploys a version for all, and a second one with a plan.
    private func begin(_ client: TestClient) async throws {
        #expect(try await client.put(path, "// first").status == 200)
        #expect(try await client.put(path + "?stages=10,100", "// second").status == 200)
    }

    @Test("Devices look every minute during a roll-out, and less often after the roll-back")
    func rollout() async throws {
        try await run { client async throws in
            try await expect(client, look: nil, report: 86_400, cached: 60)
            try await begin(client)
            try await expect(client, look: 60, report: 600, cached: 10)
            #expect(try await client.post(path + "/rollout/pause", [:]).status == 200)
            try await expect(client, look: 60, report: 600, cached: 10)
            #expect(try await client.post(path + "/rollback", [:]).status == 200)
            try await expect(client, look: nil, report: 600, cached: 60)
        }
    }

    @Test("Devices look every minute while filters are rolled out, too")
    func filters() async throws {
        try await run { client async throws in
            let path = "/api/sources/WK/filters"
            #expect(try await client.put(path + "?stages=10,100", "[]").status == 200)
            try await expect(client, look: 60, report: 600, cached: 10)
            #expect(try await client.post(path + "/rollback", ["version": 0]).status == 200)
            try await expect(client, look: nil, report: 600, cached: 60)
            clock.advance(by: 86_400_000)
            try await expect(client, look: nil, report: 86_400, cached: 60)
        }
    }

    @Test("In the last stage, when all devices have the version, the roll-out is still under way")
    func lastStage() async throws {
        try await run { client async throws in
            try await begin(client)
            #expect(try await client.post(path + "/rollout/advance", [:]).status == 200)
            try await expect(client, look: 60, report: 600, cached: 10)
            #expect(try await client.post(path + "/rollout/advance", [:]).status == 200)
            try await expect(client, look: nil, report: 600, cached: 60)
        }
    }

    @Test("Devices report often for a day after a deployment, and then once a day")
    func newVersion() async throws {
        try await run { client async throws in
            #expect(try await client.put(path, "// first").status == 200)
            try await expect(client, look: nil, report: 600, cached: 60)
            clock.advance(by: Day.milliseconds)
            try await expect(client, look: nil, report: 86_400, cached: 60)
        }
    }

    @Test("Devices of a roll-out that rests for a day report often, but look at the usual interval")
    func longRollout() async throws {
        try await run { client async throws in
            #expect(try await client.put(path + "?percentage=5", "// first").status == 200)
            try await expect(client, look: 60, report: 600, cached: 10)
            clock.advance(by: Day.milliseconds)
            try await expect(client, look: nil, report: 600, cached: 60)
        }
    }
}
