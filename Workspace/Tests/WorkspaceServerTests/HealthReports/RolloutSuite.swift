import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Tests of roll-outs with a plan: of live plugins or of filters, whose routes differ by their path only.
protocol RolloutSuite {
    var clock: TestClock { get }
    /// The path of the live plugins or of the filters.
    var path: String { get }
}

extension RolloutSuite {
    /// Runs a workspace that looks at its roll-outs all the time, with the clock of the test.
    func run(
        in folder: TemporaryFolder? = nil, noticeURL: String? = nil, _ body: (TestWorkspace) async throws -> Void
    ) async throws {
        var environment = WorkspaceEnvironment.testing
        let clock = clock
        environment.now = { clock.now }
        try await TestWorkspace.run(
            in: folder, environment: environment, noticeURL: noticeURL, rolloutPause: .milliseconds(5), body)
    }

    func rollout(_ client: TestClient) async throws -> JSON {
        try await client.get(path + "/rollout").json["rollout"] ?? .null
    }

    /// Asks for the roll-out until it is as the test expects.
    @discardableResult
    func until(_ client: TestClient, _ isExpected: (JSON) -> Bool) async throws -> JSON {
        while true {
            let rollout = try await rollout(client)
            if isExpected(rollout) { return rollout }
            await Task.yield()
        }
    }

    /// The actions of roll-outs without an operator, as the audit log lists them.
    func actions(_ client: TestClient) async throws -> [String] {
        try await client.get("/api/audit").json["entries"]?.elements?.compactMap { entry in
            entry["by"] == "rollout" ? entry["action"]?.stringValue : nil
        } ?? []
    }
}
