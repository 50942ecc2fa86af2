import Foundation
import Testing
import TributaryJSON

@testable import Demo

/// Roll-outs with real processes: a workspace, its command line, and a program with many real clients.
@Suite("Roll-outs end to end", .serialized, .timeLimit(.minutes(15))) struct RolloutTests {
    private static let devices = 200
    private static let patience = 300.0

    private let scene: Scene

    init() throws { scene = try Scene() }

    @Test("A good version goes to all devices, worse ones are rolled back at the first stage, and no event is lost")
    func all() async throws {
        try await scene.withWorkspace { client in
            try await deploy("return event", client)
            let fleet = try await ChildProcess(
                Programs.fleet,
                arguments: ["--server", client.server, "--write-key", Scene.writeKey, "--devices", "\(Self.devices)"])
            do {
                try #require(await fleet.line(after: "fleet: round 2", within: Self.patience) != nil, "\(fleet.output)")
                try await rollOut(client)
                let account = try await end(fleet)
                // The accounts of devices and workspace agree: nothing is lost, and nothing is there twice.
                let stored = try await client.storedIds()
                #expect(account["lost"] == 0)
                #expect(account["tracked"]?.intValue == stored.count + (account["dropped"]?.intValue ?? -1))
                #expect(Set(stored).count == stored.count)
            } catch {
                await fleet.stop()
                throw error
            }
        }
    }

    private func rollOut(_ client: WorkspaceClient) async throws {
        // Version 2 is good.
        try await deploy("event.properties.good = true; return event", client, isPlanned: true)
        let good = try await decided(client)
        #expect(good["state"] == "finished")
        #expect(good["percentage"] == 100)
        // One event name in twenty.
        try await deploy(
            "if (event.event === \"Event 7\") throw new Error(\"no price\"); return event", client, isPlanned: true)
        try await expectRollback(client, ["have a fault", "does not run"])
        try await deploy("return event.event < \"Event 15\" ? null : event", client, isPlanned: true)
        try await expectRollback(client, ["are dropped"])
        try await deploy(
            "const end = Date.now() + 4; while (Date.now() < end) {} return event", client, isPlanned: true)
        try await expectRollback(client, ["an event takes"])
        // Everybody has the good version again.
        let list = try await tributary(client, "plugin", "list")
        #expect(list.contains { $0.contains("current") && $0.hasPrefix("version 8, ") }, "\(list)")
        let health = try await tributary(client, "plugin", "health")
        #expect(
            health.contains { $0.contains("fault in ") && $0.contains("at \"Event 7\": Error: no price") }, "\(health)")
    }

    private func expectRollback(_ client: WorkspaceClient, _ reasons: [String]) async throws {
        let rollout = try await decided(client)
        let reason = rollout["reason"]?.stringValue ?? ""
        #expect(rollout["state"] == "rolledBack")
        #expect(rollout["stage"] == 1)
        #expect(reasons.contains { reason.contains($0) }, "\(reason)")
    }

    private func deploy(_ body: String, _ client: WorkspaceClient, isPlanned: Bool = false) async throws {
        let file = scene.path("plugin.js")
        let script = """
            class Fix extends LivePlugin { track(event) { \(body) } }
            analytics.add(new Fix(LivePluginType.enrichment, null))
            """
        try script.write(toFile: file, atomically: true, encoding: .utf8)
        let plan = ["--rollout", "20%,50%,100%", "--hold", "0s", "--min-devices", "15", "--min-events", "500"]
        _ = try await tributary(client, arguments: ["plugin", "deploy", file] + (isPlanned ? plan : []))
    }

    /// The roll-out once it is over.
    private func decided(_ client: WorkspaceClient) async throws -> JSON {
        let end = ContinuousClock.now + .seconds(Self.patience)
        var rollout = JSON.null
        while ContinuousClock.now < end {
            let answer = try await tributary(client, "plugin", "rollout", "show", "--json")
            rollout = try JSON.parse(answer.joined())["rollout"] ?? .null
            if rollout["state"] != "running" { return rollout }
        }
        Issue.record("nothing was decided: \(rollout)")
        return rollout
    }

    private func end(_ fleet: ChildProcess) async throws -> JSON {
        fleet.signal(SIGTERM)
        let line = await fleet.line(after: "fleet: account ", within: Self.patience)
        #expect(await fleet.ended() == .exit(0))
        return try JSON.parse(try #require(line, "\(fleet.output)"))
    }

    private func tributary(_ client: WorkspaceClient, _ arguments: String...) async throws -> [String] {
        try await tributary(client, arguments: arguments)
    }

    private func tributary(_ client: WorkspaceClient, arguments: [String]) async throws -> [String] {
        let command = try await ChildProcess(
            Programs.tributary,
            arguments: arguments + ["--server", client.server, "--write-key", Scene.writeKey],
            environment: ["TRIBUTARY_ADMIN_TOKEN": Scene.token])
        let ending = await command.ended()
        try #require(ending == .exit(0), "\(arguments): \(command.output)")
        return command.output
    }
}
