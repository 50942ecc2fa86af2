import Foundation
import TributaryJSON

/// A broken version of live plugins comes to some of many devices, and the workspace takes it back by itself.
struct RolloutScene {
    /// The source of the devices.
    static let writeKey = "demo-devices"
    /// Half of them get the version, by chance. Of forty it is at least five; of twenty it was four in one of 170 runs.
    private static let devices = 40
    /// Seconds within which the version is taken back, on a busy machine too.
    static let patience = 180.0
    private static let look = Duration.milliseconds(200)
    /// The version goes to half of the devices at once, so that enough report.
    private static let query = "stages=50,100&holdSeconds=0&minimumDevices=5&minimumEvents=300"

    let plan: DemoPlan
    let server: String
    /// Throws when the person has stopped the demo.
    let checkInterruption: @Sendable () throws -> Void

    /// Runs devices until the version is taken back, and compares their account with the workspace's.
    func run() async throws -> RolloutOutcome {
        let client = WorkspaceClient(server: server, writeKey: Self.writeKey, token: plan.token)
        try await client.makeSource()
        _ = try await client.deployPlugins(try read("plugin-good.js"))
        let fleet = try await ChildProcess(
            plan.fleet,
            arguments: ["--server", server, "--write-key", Self.writeKey, "--devices", "\(Self.devices)"])
        do {
            guard await fleet.line(after: "fleet: round 1", within: Self.patience) != nil else {
                throw DemoError("the devices did not start", details: fleet.output)
            }
            let version = try await client.deployPlugins(try read("plugin-broken.js"), query: Self.query)
            let rollout = try await decided(client)
            let health = try await client.health(ofVersion: version)
            return RolloutOutcome(
                rollout: rollout, health: health, account: try await end(fleet), stored: try await stored(client))
        } catch {
            await fleet.stop()
            throw error
        }
    }

    private func decided(_ client: WorkspaceClient) async throws -> JSON {
        let end = ContinuousClock.now + .seconds(Self.patience)
        while ContinuousClock.now < end {
            let rollout = try await client.rollout()
            if rollout["state"] != "running" { return rollout }
            try checkInterruption()
            try await Task.sleep(for: Self.look)
        }
        throw DemoError("the broken version was not taken back: \(try await client.rollout())")
    }

    private func end(_ fleet: ChildProcess) async throws -> JSON {
        fleet.signal(SIGTERM)
        let line = await fleet.line(after: "fleet: account ", within: Self.patience)
        await fleet.ended()
        guard let line, let account = try? JSON.parse(line) else {
            throw DemoError("the devices gave no account", details: fleet.output)
        }
        return account
    }

    private func stored(_ client: WorkspaceClient) async throws -> Int {
        var count = 0
        try await client.visitEvents { _ in count += 1 }
        return count
    }

    private func read(_ name: String) throws(DemoError) -> Data {
        let file = plan.files.appendingPathComponent(name)
        do {
            return try Data(contentsOf: file)
        } catch {
            throw DemoError("\(file.path) cannot be read")
        }
    }
}
