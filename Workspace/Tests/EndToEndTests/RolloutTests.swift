import Foundation
import Testing
import TributaryJSON

@testable import Demo

/// Roll-outs with real processes: a workspace, its command line, and a program with many real clients.
///
/// The tests run one at a time, because each has many clients, and the roll-outs judge the time of scripts.
@Suite("Roll-outs end to end", .serialized, .timeLimit(.minutes(30))) enum RolloutTests {}

extension RolloutTests {
    @Suite("Roll-outs of live plugins end to end") struct LivePlugins {
        private let scene: Scene

        init() throws { scene = try Scene() }

        @Test(
            "A good version goes to all devices, bad versions are rolled back at the first stage, and no event is lost")
        func all() async throws {
            try await scene.withWorkspace { client in
                let account = try await FleetScene.run(client, devices: 120) {
                    try await deploy("return event", client)
                } _: { fleet in
                    try await rollOut(fleet)
                }
                // The accounts of devices and workspace agree: nothing is lost, and nothing is there twice.
                let stored = try await client.storedIds()
                #expect(account["lost"] == 0)
                #expect(account["tracked"]?.intValue == stored.count + (account["dropped"]?.intValue ?? -1))
                #expect(Set(stored).count == stored.count)
            }
        }

        private func rollOut(_ fleet: FleetScene) async throws {
            let client = fleet.client
            // Version 2 is good.
            try await deploy("event.properties.good = true; return event", client, Self.plan)
            let good = try await fleet.decided("plugin")
            #expect(good["state"] == "finished", "\(good)")
            #expect(good["percentage"] == 100)
            // The version throws at one event name in twenty.
            try await deploy(
                "if (event.event === \"Event 7\") throw new Error(\"no price\"); return event", client, Self.plan)
            try await fleet.expectRollback("plugin", ["have a fault", "does not run"])
            try await deploy("return event.event < \"Event 15\" ? null : event", client, Self.plan)
            try await fleet.expectRollback("plugin", ["are dropped"])
            try await deploy(
                "const end = Date.now() + 4; while (Date.now() < end) {} return event", client, Self.planWithTime)
            try await fleet.expectRollback("plugin", ["an event takes"])
            // All devices have the good version again.
            let list = try await FleetScene.tributary(client, ["plugin", "list"])
            #expect(list.contains { $0.contains("current") && $0.hasPrefix("version 8, ") }, "\(list)")
            let health = try await FleetScene.tributary(client, ["plugin", "health"])
            #expect(
                health.contains { $0.contains("fault in ") && $0.contains("at \"Event 7\": Error: no price") },
                "\(health)")
        }

        private static let planWithTime = [
            "--rollout", "20%,50%,100%", "--hold", "0s", "--min-devices", "8", "--min-events", "400",
        ]
        /// A machine that gets busy meanwhile makes a version slower than the one before.
        private static let plan = planWithTime + ["--max-time-change", "5000%"]

        private func deploy(_ body: String, _ client: WorkspaceClient, _ plan: [String] = []) async throws {
            let file = scene.path("plugin.js")
            let script = """
                class Fix extends LivePlugin { track(event) { \(body) } }
                analytics.add(new Fix(LivePluginType.enrichment, null))
                """
            try script.write(toFile: file, atomically: true, encoding: .utf8)
            try await FleetScene.tributary(client, ["plugin", "deploy", file] + plan)
        }
    }
}
