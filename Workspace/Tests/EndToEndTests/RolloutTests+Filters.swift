import Foundation
import Testing
import TributaryJSON

@testable import Demo

extension RolloutTests {
    @Suite("Roll-outs of filters end to end") struct Filters {
        private let scene: Scene

        init() throws { scene = try Scene() }

        @Test(
            "Good rules go to all devices, rules that drop too much are rolled back, and the account balances"
        )
        func all() async throws {
            try await scene.withWorkspace { client in
                let account = try await FleetScene.run(client, devices: 60) {
                    try await FleetScene.tributary(client, ["settings", "destination", "set", "Partner"])
                    try await deploy([Self.drop("Event 3", for: "Segment.io")], client)
                } _: { fleet in
                    try await rollOut(fleet)
                }
                let stored = try await client.storedIds()
                func count(_ name: String) -> Int { account[name]?.intValue ?? -1 }
                #expect(account["lost"] == 0)
                #expect(count("filtered") > 0)
                #expect(count("filteredForPartner") > 0)
                // The workspace has what the rules let through, and the destination on the device has its own share.
                #expect(count("tracked") == stored.count + count("dropped") + count("filtered"))
                #expect(
                    count("tracked") == count("partner") + count("dropped") + count("filteredForPartner")
                        + count("beforePartner"))
                #expect(Set(stored).count == stored.count)
            }
        }

        private func rollOut(_ fleet: FleetScene) async throws {
            let client = fleet.client
            // Version 2 drops the same events and has a name. A concurrent roll-out of live plugins renames events, so
            // the rules drop seven times as many events. The plugins cause these drops, so the rules must stay.
            try await deployPlugins(client)
            try await deploy([Self.drop("Event 3", for: "Segment.io", name: "no tests")], client, isPlanned: true)
            let plugins = try await fleet.decided("plugin")
            #expect(plugins["state"] == "finished")
            let good = try await fleet.decided("filter")
            #expect(good["state"] == "finished", "\(good)")
            #expect(good["percentage"] == 100)
            // Version 3 drops a third of what one destination gets.
            let tooMuch = (11...16).map { Self.drop("Event \($0)", for: "Partner", name: "too much") }
            try await deploy(
                [Self.drop("Event 3", for: "Segment.io", name: "no tests")] + tooMuch, client, isPlanned: true)
            try await fleet.expectRollback("filter", ["are dropped"])
            // All devices have the rules of version 2 again.
            let list = try await FleetScene.tributary(client, ["filter", "list"])
            #expect(list.contains { $0.contains("current") && $0.hasPrefix("version 4, ") }, "\(list)")
            let health = try await FleetScene.tributary(client, ["filter", "health"])
            #expect(health.contains { $0.contains("  Partner") }, "\(health)")
            let audit = try await FleetScene.tributary(client, ["filter", "rollout"])
            #expect(audit.joined().contains("rolledBack"), "\(audit)")
        }

        /// A rule that keeps events of a name from a destination.
        private static func drop(_ event: String, for destination: String, name: String = "drop") -> JSON {
            [
                "name": .string(name), "destinationName": .string(destination), "scope": "destinations",
                "matchers": [["type": "fql", "ir": .string("[\"=\",\"event\",{\"value\":\"\(event)\"}]")]],
                "transformers": [[["type": "drop"]]],
            ]
        }

        /// The first stage has 24 of 60 devices, as it has of the 120 devices of the other test.
        private static let plan = [
            "--rollout", "40%,70%,100%", "--hold", "0s", "--min-devices", "8", "--min-events", "400",
        ]

        private func deploy(_ rules: [JSON], _ client: WorkspaceClient, isPlanned: Bool = false) async throws {
            let file = scene.path("rules.json")
            try JSON.array(rules).description.write(toFile: file, atomically: true, encoding: .utf8)
            try await FleetScene.tributary(client, ["filter", "deploy", file] + (isPlanned ? Self.plan : []))
        }

        private func deployPlugins(_ client: WorkspaceClient) async throws {
            let file = scene.path("plugin.js")
            let script = """
                class Fix extends LivePlugin {
                    track(event) {
                        if (event.event >= "Event 4") event.event = "Event 3"
                        return event
                    }
                }
                analytics.add(new Fix(LivePluginType.enrichment, null))
                """
            try script.write(toFile: file, atomically: true, encoding: .utf8)
            try await FleetScene.tributary(client, ["plugin", "deploy", file] + Self.plan)
        }
    }
}
