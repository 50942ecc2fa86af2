import Foundation
import Testing
import TributaryJSON

@testable import Demo

/// A workspace, its command line and a program with many real clients, for tests of roll-outs.
struct FleetScene {
    private static let patience = 600.0

    let client: WorkspaceClient
    private let fleet: ChildProcess

    /// Runs clients; all of them have been through two rounds when `body` begins.
    /// - Parameters:
    ///   - devices: how many clients.
    ///   - events: how many events each of them tracks in a round; it reports only from 60.
    ///   - prepare: deploys something before the clients begin.
    /// - Returns: the account of the clients.
    static func run(
        _ client: WorkspaceClient, devices: Int, events: Int = 60, prepare: () async throws -> Void,
        _ body: (FleetScene) async throws -> Void
    ) async throws -> JSON {
        try await prepare()
        let fleet = try await ChildProcess(
            Programs.fleet,
            arguments: [
                "--server", client.server, "--write-key", Scene.writeKey, "--devices", "\(devices)", "--events",
                "\(events)",
            ])
        do {
            try #require(await fleet.line(after: "fleet: round 2", within: patience) != nil, "\(fleet.output)")
            try await body(FleetScene(client: client, fleet: fleet))
            fleet.signal(SIGTERM)
            let line = await fleet.line(after: "fleet: account ", within: patience)
            #expect(await fleet.ended() == .exit(0))
            return try JSON.parse(try #require(line, "\(fleet.output)"))
        } catch {
            await fleet.stop()
            throw error
        }
    }

    /// Waits for the end of the roll-out and returns it. The workspace decides by the reports of the clients, so the
    /// command runs once after each round of them.
    /// - Parameter kind: the command that looks after it.
    func decided(_ kind: String) async throws -> JSON {
        let end = ContinuousClock.now + .seconds(Self.patience)
        var rollout = JSON.null
        repeat {
            let answer = try await Self.tributary(client, [kind, "rollout", "show", "--json"])
            rollout = try JSON.parse(answer.joined())["rollout"] ?? .null
            if rollout["state"] != "running" { return rollout }
        } while await fleet.line(after: "fleet: round ", within: Self.patience) != nil && ContinuousClock.now < end
        Issue.record("nothing was decided: \(rollout), \(fleet.output)")
        return rollout
    }

    /// Runs a command once after each round of the clients until its answer is as the test expects.
    func until(_ arguments: [String], _ isExpected: (JSON) -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(Self.patience)
        var answer = JSON.null
        repeat {
            answer = try JSON.parse(try await Self.tributary(client, arguments).joined())
            if isExpected(answer) { return }
        } while await fleet.line(after: "fleet: round ", within: Self.patience) != nil && ContinuousClock.now < end
        Issue.record("it never came: \(answer), \(fleet.output)")
    }

    /// Expects that the workspace takes the version back at the first stage, for one of these reasons.
    func expectRollback(_ kind: String, _ reasons: [String]) async throws {
        let rollout = try await decided(kind)
        let reason = rollout["reason"]?.stringValue ?? ""
        #expect(rollout["state"] == "rolledBack")
        #expect(rollout["stage"] == 1)
        #expect(reasons.contains { reason.contains($0) }, "\(reason)")
    }

    /// Runs a command about the source, and expects that it succeeds.
    @discardableResult
    static func tributary(_ client: WorkspaceClient, _ arguments: [String]) async throws -> [String] {
        let command = try await ChildProcess(
            Programs.tributary,
            arguments: arguments + ["--server", client.server, "--write-key", Scene.writeKey],
            environment: ["TRIBUTARY_ADMIN_TOKEN": Scene.token])
        let ending = await command.ended()
        try #require(ending == .exit(0), "\(arguments): \(command.output)")
        return command.output
    }
}
