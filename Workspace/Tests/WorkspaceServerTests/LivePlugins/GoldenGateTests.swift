import Foundation
import HTTPTypes
import Testing
import TributaryJSON
import TributaryTesting

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Stored sessions before a deployment", .timeLimit(.minutes(30))) struct GoldenGateTests {
    private static let path = "/api/sources/WK/live-plugins"
    private static let plan = #"{"events":[{"type":"track","name":"Paid"},{"type":"track","name":"Never"}]}"#

    private static func plugin(_ track: String) -> String {
        """
        class Trial extends LivePlugin {
          constructor() { super(LivePluginType.enrichment, null); }
          track(event) { \(track) }
        }
        analytics.add(new Trial());
        """
    }

    private static let today = plugin("event.properties.currency = 'EUR'; return event;")
    private static let dropping = plugin("return event.event == 'Paid' ? null : event;")

    private static func run(_ body: (TestWorkspace) async throws -> Void) async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            _ = try await workspace.client.put("/api/sources/WK/plan", plan)
            try await workspace.client.batch(
                ["Paid", "Seen", "Paid"].enumerated().map { Events.track(messageId: "m-\($0)", name: $1) })
            #expect(try await workspace.client.put("\(path)?where=workspace", today).status == 200)
            try await body(workspace)
        }
    }

    private static func review(_ text: String, of workspace: TestWorkspace) async throws -> JSON {
        let answer = try await workspace.client.send(
            "POST", "\(path)/review", body: Array(text.utf8), headers: ["Content-Type": "text/javascript"])
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.json
    }

    @Test("A review compares a new version with that of today, on stored sessions, and deploys nothing")
    func review() async throws {
        try await Self.run { workspace async throws in
            let same = try await Self.review(Self.today, of: workspace)
            #expect(same["same"] == true)
            #expect(same["sessions"] == 1)
            #expect(same["records"] == 3)
            #expect(same["version"] == 1)
            #expect(same["broken"] == [])
            let other = try await Self.review(Self.dropping, of: workspace)
            #expect(other["same"] == false)
            #expect(other["complete"] == true)
            let names = try #require(other["names"]?.elements)
            #expect(names.map { $0["name"] } == ["Paid", "Seen"])
            #expect(names[0]["dropped"] == 2)
            #expect(names[1]["fields"]?[0]?["path"] == "properties.currency")
            #expect(other["broken"]?.elements?.count == 1)
            #expect(other["broken"]?[0]?["missing"] == 2)
            #expect(try await workspace.client.get(Self.path).json["current"] == 1)
        }
    }

    @Test("A version that breaks a rule needs a reason, which the log of changes keeps")
    func reason() async throws {
        try await Self.run { workspace async throws in
            let refused = try await workspace.client.put(Self.path, Self.dropping)
            #expect(refused.status == 422)
            let message = try #require(try refused.json["error"]?.stringValue)
            #expect(message.contains(#"track "Paid" is in the tracking plan, and 2 of 2 would vanish"#), "\(message)")
            #expect(try await workspace.client.get(Self.path).json["current"] == 1)
            #expect(try await workspace.client.put("\(Self.path)?unchecked=true", Self.dropping).status == 422)
            #expect(try await workspace.client.put("\(Self.path)?reason=%20", Self.dropping).status == 400)
            let long = String(repeating: "x", count: 501)
            #expect(try await workspace.client.put("\(Self.path)?reason=\(long)", Self.dropping).status == 400)
            let deployed = try await workspace.client.put("\(Self.path)?reason=paid%20twice", Self.dropping)
            #expect(deployed.status == 200, "\(deployed.text)")
            let entry = try await workspace.client.get("/api/audit").json["entries"]?[0]
            #expect(entry?["action"] == "livePlugins.deployed" || entry?["details"]?["version"] == 2)
            #expect(entry?["details"]?["reason"] == "paid twice")
            #expect(entry?["details"]?["broken"]?.elements?.count == 1)
        }
    }

    @Test("Without a plan, or without a difference that breaks a rule, no reason is needed")
    func noReason() async throws {
        try await Self.run { workspace async throws in
            let changing = Self.plugin("event.properties.currency = 'USD'; return event;")
            #expect(try await workspace.client.put(Self.path, changing).status == 200)
            _ = try await workspace.client.put("/api/sources/WK/plan", #"{"events":[]}"#)
            #expect(try await workspace.client.put(Self.path, Self.dropping).status == 200)
        }
    }

    @Test("A roll-back and switching off need no reason, because they are what ends harm")
    func rollBack() async throws {
        try await Self.run { workspace async throws in
            _ = try await workspace.client.put("\(Self.path)?reason=x", Self.dropping)
            _ = try await workspace.client.put(Self.path, Self.today)
            let back = try await workspace.client.send(
                "POST", "\(Self.path)/rollback", body: Array(#"{"version":2}"#.utf8))
            #expect(back.status == 200, "\(back.text)")
            #expect(try await workspace.client.send("DELETE", Self.path, body: nil).status == 200)
        }
    }

    @Test("The file has the sessions with the results of today, and no personal data")
    func file() async throws {
        try await Self.run { workspace async throws in
            let answer = try await workspace.client.get("\(Self.path)/golden?sessions=5")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.header("Content-Type")?.hasPrefix("application/x-ndjson") == true)
            let golden = try GoldenSessions(Array(answer.text.utf8))
            #expect(golden.version == 1)
            #expect(golden.plan.map(\.name) == ["Paid", "Never"])
            #expect(golden.sessions.count == 1)
            #expect(golden.sessions[0].records.count == 3)
            let after = golden.sessions[0].records[0].outcome.after
            #expect(after?["properties"]?["currency"] == "EUR")
            #expect(!answer.text.contains("\"m-0\""))
            let events = try await workspace.client.get("/api/events").json["events"]?.elements ?? []
            for id in ["anonymousId", "userId"] {
                guard let stored = events[0]["event"]?[id]?.stringValue else { continue }
                #expect(!answer.text.contains("\"\(stored)\""))
            }
        }
    }

    @Test("Without stored events there is a file without sessions, and nothing to compare")
    func empty() async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            let answer = try await workspace.client.get("\(Self.path)/golden")
            #expect(try GoldenSessions(Array(answer.text.utf8)).sessions.isEmpty)
            let review = try await Self.review(Self.dropping, of: workspace)
            #expect(review["sessions"] == 0)
            #expect(review["same"] == true)
        }
    }

    @Test("A version that does not run does nothing, so planned events that scripts make would vanish")
    func unusable() async throws {
        try await Self.run { workspace async throws in
            let making = Self.plugin("if (event.event == 'Seen') analytics.track('Never', {}); return event;")
            #expect(try await workspace.client.put(Self.path, making).status == 200)
            let review = try await Self.review("class {", of: workspace)
            #expect(review["fault"] != .null)
            #expect(review["broken"]?[0]?["name"] == "Never")
            #expect(try await workspace.client.put("\(Self.path)?unchecked=true", "class {").status == 422)
        }
    }

    @Test("A server that cannot run scripts says so, and deploys without a review")
    func withoutProgram() async throws {
        try await TestWorkspace.run { workspace async throws in
            _ = try await workspace.client.put("/api/sources/WK/plan", Self.plan)
            let answer = try await workspace.client.send("POST", "\(Self.path)/review", body: Array("// 1".utf8))
            #expect(answer.status == 501)
            #expect(try await workspace.client.put(Self.path, "// 1").status == 200)
        }
    }
}
