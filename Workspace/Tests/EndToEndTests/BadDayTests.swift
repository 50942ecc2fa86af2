import Foundation
import Testing
import TributaryJSON

@testable import Demo

/// A bad day of a fleet, with real processes: a version of the live plugins drops one field in 3 % of the sessions. Golden
/// sessions, a shadow and the ledger each find it alone.
@Suite("A bad day of a fleet", .serialized, .timeLimit(.minutes(30))) struct BadDayTests {
    private let scene: Scene
    /// One of them is of that shop. Each has to report before the workspace decides.
    private static let devices = 33
    private static let good = "return event"
    /// The version that is wrong: it drops the total for one of 33 shops.
    private static let bad = "if (event.properties.shop === 7) { delete event.properties.total } return event"
    /// Events without a total are not sent.
    private static let rule = """
        [{"name": "Without a total", "destinationName": "Segment.io",
          "matchers": [{"type": "fql", "ir": "[\\"!=\\",\\"properties.total\\",{\\"value\\":42}]"}],
          "transformers": [[{"type": "drop"}]]}]
        """

    init() throws { scene = try Scene() }

    @Test("Golden sessions show the field before the version is deployed")
    func goldenSessions() async throws {
        try await scene.withWorkspace { client in
            _ = try await FleetScene.run(client, devices: Self.devices, events: 2) {
                _ = try await client.deployPlugins(Self.script(Self.good))
            } _: { _ in
            }
            let golden = scene.path("golden.ndjson")
            // Its last line says how many sessions there are.
            let output = try await FleetScene.tributary(client, ["plugin", "golden", "make"])
            let lines = output.filter { $0.hasPrefix("{") }
            try lines.joined(separator: "\n").write(toFile: golden, atomically: true, encoding: .utf8)
            let review = try await ChildProcess(
                Programs.tributary, arguments: ["plugin", "test", try file(Self.bad), "--against", golden, "--exact"])
            #expect(await review.ended() == .exit(1))
            #expect(
                review.output.contains { $0.contains("properties.total: ") && $0.contains("such as 42") },
                "\(review.output)")
        }
    }

    @Test("A shadow is held up by the field, while all devices send it")
    func shadow() async throws {
        try await scene.withWorkspace { client in
            try await run(client) { fleet in
                try await deployBad(client, ["--shadow", "100%"])
                try await fleet.until(["plugin", "rollout", "show", "--json"]) { answer in
                    let rollout = answer["rollout"]
                    let reason = rollout?["reason"]?.stringValue ?? ""
                    return rollout?["isShadow"] == true && reason.contains("changed:Event ")
                        && reason.contains(":properties.total was not announced")
                }
                let health = try await FleetScene.tributary(client, ["plugin", "health"])
                #expect(
                    health.contains { $0.contains(":properties.total") && $0.contains("not announced") }, "\(health)")
                let ledger = try await FleetScene.tributary(client, ["ledger", "--reports-only", "--json"])
                #expect(!ledger.joined().contains("Without a total"), "\(ledger)")
            }
        }
    }

    @Test("The ledger names the rule by which events end once all devices run the version")
    func ledger() async throws {
        try await scene.withWorkspace { client in
            try await run(client) { fleet in
                try await deployBad(client, [])
                #expect(try await fleet.decided("plugin")["state"] == "finished")
                try await fleet.until(["ledger", "--reports-only", "--json"]) {
                    $0.description.contains("Without a total")
                }
            }
        }
    }

    /// Runs clients that have the version without a fault and the rule.
    private func run(_ client: WorkspaceClient, _ body: (FleetScene) async throws -> Void) async throws {
        _ = try await FleetScene.run(client, devices: Self.devices) {
            _ = try await client.deployPlugins(Self.script(Self.good))
            try await client.deployFilters(Data(Self.rule.utf8))
        } _: { fleet in
            try await body(fleet)
        }
    }

    /// Deploys the version that is wrong to all devices.
    private func deployBad(_ client: WorkspaceClient, _ options: [String]) async throws {
        let plan = ["--rollout", "100%", "--hold", "0s", "--min-devices", "\(Self.devices)", "--min-events", "400"]
        try await FleetScene.tributary(
            client, ["plugin", "deploy", try file(Self.bad), "--yes", "--max-time-change", "5000%"] + plan + options)
    }

    private func file(_ body: String) throws -> String {
        let path = scene.path("plugin.js")
        try Self.script(body).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static func script(_ body: String) -> Data {
        Data(
            """
            class Fix extends LivePlugin { track(event) { \(body) } }
            analytics.add(new Fix(LivePluginType.enrichment, null))
            """.utf8)
    }
}
