import Foundation
import Testing
import TributaryJSON

@testable import TributaryCommand

/// `rollout` and `health` of `tributary plugin` and `tributary filter`, as an operator uses them.
@Suite("Commands of a roll-out", .timeLimit(.minutes(30))) struct RolloutCommandTests {
    private func run(_ workspace: TestWorkspace, _ arguments: String...) async throws -> CommandRun.Outcome {
        try await run(workspace, ["plugin"] + arguments)
    }

    private func filter(_ workspace: TestWorkspace, _ arguments: String...) async throws -> CommandRun.Outcome {
        try await run(workspace, ["filter"] + arguments)
    }

    private func run(_ workspace: TestWorkspace, _ arguments: [String]) async throws -> CommandRun.Outcome {
        try await CommandRun.finish(arguments + ["--server", workspace.client.url, "--write-key", "WK"])
    }

    @Test("A plan is given in shares and times, and its roll-out is shown, paused, resumed and moved on")
    func plan() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/p.js"
        try "class Fix extends LivePlugin {}\nanalytics.add(new Fix(LivePluginType.before))".write(
            toFile: file, atomically: true, encoding: .utf8)
        try await TestWorkspace.run { workspace async throws in
            #expect(try await run(workspace, "rollout").output == "there was no roll-out with a plan\n")
            let deployed = try await run(
                workspace, "deploy", file, "--rollout", "5%,50,100%", "--hold", "30m", "--max-fault-rate", "0.5%",
                "--max-drop-change", "0.02", "--max-time-change", "50%", "--min-devices", "30", "--min-events", "2000")
            #expect(deployed.output.hasSuffix(", for 5 % of devices\n"), "\(deployed.errors)")
            let shown = try JSON.parse(try await run(workspace, "rollout", "show", "--json").output)["rollout"]
            let plan: JSON = [
                "stages": [5, 50, 100], "holdSeconds": 1800, "minimumDevices": 30, "minimumEvents": 2000,
                "maximumFaultRate": 0.005, "maximumDropChange": 0.02, "maximumTimeChange": 0.5,
            ]
            #expect(shown?["plan"] == plan)
            let paused = try await run(workspace, "rollout", "pause").output
            #expect(paused.hasPrefix("version 1: paused, stage 1 of 3, 5 % of devices, for 0 min\n"), "\(paused)")
            #expect(try await run(workspace, "rollout", "pause").errors.contains("the roll-out is paused"))
            #expect(try await run(workspace, "rollout", "resume").output.hasPrefix("version 1: running"))
            #expect(try await run(workspace, "rollout", "advance").output.contains("stage 2 of 3, 50 % of devices"))
            #expect(try await run(workspace, "rollout", "advance").output.contains("stage 3 of 3, 100 % of devices"))
            #expect(try await run(workspace, "rollout", "advance").output.contains("finished"))
            #expect(try await run(workspace, "rollout", "advance").status == 1)
        }
    }

    @Test(
        "An invalid plan is refused with the reason before a request is sent",
        arguments: [
            ["--hold", "30m"], ["--rollout", "x"], ["--rollout", "1%,100%", "--hold", "30"],
            ["--rollout", "1%,100%", "--max-fault-rate", "-1%"], ["--rollout", "5%", "--hold", "30m"],
        ])
    func badPlan(options: [String]) async throws {
        let outcome = try await CommandRun.finish(["plugin", "deploy", "p.js", "--write-key", "WK"] + options)
        #expect(outcome.status == 64)
    }

    @Test("The table names versions, plugins and faults, and its cells cannot control the terminal")
    func table() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            #expect(try await run(workspace, "health").output == "no device has reported\n")
            _ = try await client.put("/api/sources/WK/live-plugins", "class Fix extends LivePlugin {}")
            let report: JSON = [
                "writeKey": "WK", "instanceId": "i", "number": 1,
                "versions": [
                    [
                        "version": "1", "events": 1000, "faulty": 25, "dropped": 10, "microseconds": 500_000,
                        "incidents": ["quarantined": 2],
                        "plugins": [
                            [
                                "name": "Fix", "seen": 1000, "changed": 4, "faults": 25,
                                "fault": [
                                    "message": "no \u{1B}[31mprice", "file": "livePlugin-1.js", "line": 4,
                                    "event": "Order",
                                ],
                            ]
                        ],
                    ]
                ],
                "destinations": [["key": "Amplitude", "delivered": 12]],
                "delivery": ["tracked": 1200, "uploaded": 1190, "waiting": 7, "lost": ["bound": 3]],
            ]
            #expect(try await client.post("/v1/health-reports", report).status == 200)
            let output = try await run(workspace, "health").output
            for line in [
                "version 1 (100 % of devices): 1,000 events, 2.50 % with a fault, 1.00 % dropped, 0.50 ms an event, 1 reports",
                "  incidents: quarantined 2", "  plugin   seen  changed  dropped  faults  breaches",
                "  Fix     1,000        4        0      25         0",
                "destination  delivered  filtered  dropped  lost  stuck",
                "delivery: 1,200 events tracked, 1,190 sent, 0 refused for good, lost: bound 3; 7.0 wait on a device",
            ] { #expect(output.contains(line + "\n"), "\(output)") }
            #expect(output.contains("fault in 1 reports: Fix, livePlugin-1.js:4 at \"Order\": no "))
            #expect(!output.contains("\u{1B}"))
            let json = try JSON.parse(try await run(workspace, "health", "--json", "--hours", "1").output)
            #expect(json["versions"]?[0]?["events"] == 1000)
            #expect(try await run(workspace, "health", "--hours", "0").status == 1)
        }
    }

    @Test("Filters are rolled out, moved on, taken back and listed like live plugins")
    func filters() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/rules.json"
        try """
        [{"name": "no tests", "destinationName": "Amplitude", "transformers": [[{"type": "drop"}]],
          "matchers": [{"type": "fql", "ir": "[\\"contains\\", \\"event\\", {\\"value\\": \\"Test\\"}]"}]}]
        """.write(toFile: file, atomically: true, encoding: .utf8)
        try await TestWorkspace.run { workspace async throws in
            #expect(try await filter(workspace, "rollout").output == "there was no roll-out with a plan\n")
            #expect(try await filter(workspace, "list").output == "no filters were deployed\n")
            #expect(try await filter(workspace, "health").output == "no device has reported\n")
            let deployed = try await filter(
                workspace, "deploy", file, "--rollout", "5%,50%,100%", "--hold", "30m", "--max-drop-change", "3%")
            #expect(deployed.output == "1 rule deployed as version 1, for 5 % of devices\n", "\(deployed.errors)")
            #expect(try await filter(workspace, "rollout", "pause").output.hasPrefix("version 1: paused, stage 1 of 3"))
            #expect(try await filter(workspace, "rollout", "resume").output.hasPrefix("version 1: running"))
            #expect(try await filter(workspace, "rollout", "advance").output.contains("stage 2 of 3, 50 % of devices"))
            let report: JSON = [
                "writeKey": "WK", "instanceId": "i", "number": 1,
                "filters": [
                    [
                        "version": "1",
                        "fault": ["message": "rule 0 failed", "destination": "Amplitude", "event": "Test"],
                        "destinations": [["key": "Amplitude", "events": 1000, "dropped": 25, "faulty": 5]],
                    ]
                ],
            ]
            #expect(try await workspace.client.post("/v1/health-reports", report).status == 200)
            let health = try await filter(workspace, "health").output
            for line in [
                "version 1 (50 % of devices): 1,000 events for destinations, 2.50 % dropped, 0.50 % with a fault, 1 reports",
                "  destination  events  changed  dropped  faulty  dropped",
                "  fault in 1 reports: Amplitude at \"Test\": rule 0 failed",
            ] { #expect(health.contains(line + "\n"), "\(health)") }
            #expect(health.contains("roll-out: version 1: running"))
            #expect(
                try await filter(workspace, "rollback").output == "filters version 2, with the rules of version 0\n")
            let list = try await filter(workspace, "list").output.split(separator: "\n")
            #expect(list.count == 2)
            #expect(list.first?.contains("version 2, ") == true)
            #expect(list.first?.contains("0 rules, sha256 ") == true)
            #expect(list.last?.contains("1 rule, sha256 ") == true)
            #expect(list.last?.hasSuffix(", for 50 % of devices") == true)
            #expect(try await filter(workspace, "rollout", "advance").status == 1)
        }
    }

    @Test(
        "An invalid plan of filters is refused with the reason before a request is sent",
        arguments: [
            ["--hold", "30m"], ["--rollout", "1%,100%", "--dry-run"],
            ["--rollout", "1%,100%", "--max-time-change", "5%"],
        ])
    func badFilterPlan(options: [String]) async throws {
        let outcome = try await CommandRun.finish(["filter", "deploy", "rules.json", "--write-key", "WK"] + options)
        #expect(outcome.status == 64)
    }

    @Test("Shares and times are read as people write them")
    func values() {
        #expect(Share(argument: "0.5%")?.value == 0.005)
        #expect(Share(argument: "0.005")?.value == 0.005)
        #expect(Share(argument: "x%") == nil)
        #expect(Share(argument: "nan") == nil)
        #expect(Span(argument: "90s")?.seconds == 90)
        #expect(Span(argument: "2d")?.seconds == 172_800)
        #expect(Span(argument: "5") == nil)
        #expect(Span(argument: "") == nil)
        #expect(Stages(argument: "1%,10,100%")?.percentages == [1, 10, 100])
        #expect(Stages(argument: "1,,100") == nil)
    }
}
