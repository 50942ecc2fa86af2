import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite(.timeLimit(.minutes(30))) struct RestartTests {
    @Test("A restart keeps events, sources, live plugins and statistics")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let before = try await TestWorkspace.run(in: folder) { workspace async throws in
            let client = workspace.client
            try await client.batch([Events.track(messageId: "m-1"), Events.track(messageId: "m-2")])
            _ = try await client.post("/v1/traces", ["writeKey": "WK", "traces": [Events.trace("m-1")]])
            _ = try await client.put("/api/sources/WK/live-plugins", "// one")
            _ = try await client.put("/api/sources/WK/filters", JSON.array([RoutingRulesTests.rule]).description)
            return try await State(client)
        }
        try await TestWorkspace.run(in: folder) { workspace async throws in
            #expect(try await State(workspace.client) == before)
            try await workspace.client.batch([Events.track(messageId: "m-1")])
            try await workspace.client.batch([Events.track(messageId: "m-3")])
            #expect(try await workspace.client.events().map { $0["sequence"] } == [1, 2, 4])
            #expect(try await workspace.client.get("/api/stats").json["duplicates"] == 1)
        }
    }

    private struct State: Equatable {
        let events: [JSON]
        let sources: JSON
        let bundles: JSON
        let statistics: JSON

        init(_ client: TestClient) async throws {
            events = try await client.events()
            sources = try await client.get("/api/sources").json
            bundles = try await client.get("/api/sources/WK/live-plugins").json
            statistics = try await client.get("/api/stats").json
        }
    }

    @Test("A new data folder gets a source, and later starts keep the source")
    func firstSource() async throws {
        let folder = try TemporaryFolder()
        var environment = WorkspaceEnvironment.system
        environment.makeWriteKey = { "MADE" }
        try await TestWorkspace.run(in: folder, writeKeys: [], environment: environment) { workspace async throws in
            #expect(try await workspace.client.batch([], writeKey: "MADE").status == 200)
        }
        environment.makeWriteKey = { "SECOND" }
        try await TestWorkspace.run(in: folder, writeKeys: [], environment: environment) { workspace async throws in
            #expect(try await workspace.client.batch([], writeKey: "MADE").status == 200)
            #expect(try await workspace.client.batch([], writeKey: "SECOND").status == 401)
        }
    }

    @Test func aWriteKeyThatFitsInNoURLIsRefused() async throws {
        let folder = try TemporaryFolder()
        #expect {
            var configuration = WorkspaceConfiguration(dataFolder: folder.path)
            configuration.writeKeys = ["a/b"]
            _ = try Workspace(configuration)
        } throws: { ($0 as? WorkspaceError)?.reason == .writeKey }
    }
}
