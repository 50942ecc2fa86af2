import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct DryRunTests {
    private static let path = "/api/sources/WK/filters/dry-run"

    private static let rules: JSON = [
        [
            "destinationName": "Mixer", "name": "hide tests",
            "matchers": [["type": "fql", "ir": #"["=","event",{"value":"Test"}]"#]],
            "transformers": [[["type": "drop"]]],
        ],
        [
            "destinationName": "Mixer", "matchers": [["type": "all"]],
            "transformers": [[["type": "drop_properties", "config": ["drop": ["properties": ["total"]]]]]],
        ],
        [
            "destinationName": "Segment.io", "matchers": [["type": "fql", "ir": #"["=","userId",{"value":"u-9"}]"#]],
            "transformers": [[["type": "drop"]]],
        ],
    ]

    private func send(_ events: ClosedRange<Int>, to client: TestClient, writeKey: String = "WK") async throws {
        try await client.batch(
            events.map { Events.track(messageId: "m-\($0)", name: $0 % 3 == 0 ? "Test" : "Order") }, writeKey: writeKey)
    }

    @Test("A dry run counts drops and changes of the newest events by rule and destination")
    func counts() async throws {
        try await TestWorkspace.run(writeKeys: ["WK", "OTHER"]) { workspace async throws in
            let client = workspace.client
            try await send(1...30, to: client)
            try await send(31...60, to: client, writeKey: "OTHER")
            let answer = try await client.post(Self.path, Self.rules).json
            #expect(answer["events"] == 30)
            #expect(answer["complete"] == true)
            #expect(answer["problems"] == [])
            #expect(
                answer["rules"] == [
                    [
                        "rule": 0, "name": "hide tests", "destination": "Mixer", "dropped": 10, "changed": 0,
                        "failed": 0, "untouched": 20,
                    ],
                    ["rule": 1, "destination": "Mixer", "dropped": 0, "changed": 20, "failed": 0, "untouched": 10],
                    ["rule": 2, "destination": "Segment.io", "dropped": 0, "changed": 0, "failed": 0, "untouched": 30],
                ])
            #expect(
                answer["destinations"] == [
                    ["destination": "Mixer", "dropped": 10, "changed": 20],
                    ["destination": "Segment.io", "dropped": 0, "changed": 0],
                ])
            let newest = try await client.post(Self.path + "?last=2&destination=Mixer", Self.rules).json
            #expect(newest["events"] == 2)
            // Number 30 is a test, and number 29 is an order.
            #expect(newest["destinations"] == [["destination": "Mixer", "dropped": 1, "changed": 1]])
            // The dry run deployed no rules.
            #expect(try await client.get("/api/sources/WK/filters").json == [])
        }
    }

    @Test("Examples of a dry run show events before and after the rules")
    func showsExamples() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await send(1...40, to: workspace.client)
            let answer = try await workspace.client.post(Self.path, Self.rules).json
            let examples = try #require(answer["examples"]?.elements)
            #expect(examples.count == 2 * Limits.dryRunExamples)
            let changed = try #require(examples.first)
            #expect(changed["before"]?["messageId"] == "m-40")
            #expect(changed["before"]?["properties"] == ["total": 42])
            #expect(changed["after"]?["properties"] == [:])
            #expect(changed["rules"] == [1])
            #expect(examples.last?["after"] == .null)
            #expect(examples.last?["rules"] == [0])
        }
    }

    @Test("A dry run names the faults of a rule and counts the effects of the rule")
    func faultyRule() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await send(1...3, to: workspace.client)
            var broken = try #require(Self.rules[0])
            broken["matchers"] = [["type": "fql", "ir": "["]]
            let answer = try await workspace.client.post(Self.path, [broken]).json
            let text = answer["problems"]?[0]?["text"]?.stringValue
            #expect(text?.hasPrefix("rule 0, matchers[0].ir: the IR cannot be read") == true)
            #expect(answer["rules"]?[0]?["dropped"] == 3)
        }
    }

    @Test("A dry run that runs out of time counts the events up to that time")
    func timeLimit() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await send(1...9, to: workspace.client)
            #expect(try await workspace.client.events().count == 9)
            let asked = Countdown(4)
            let run = try DryRun(Self.rules, destination: nil)
            let result = try await workspace.store.dryRun(run, writeKey: "WK", last: 100) { asked.isOver() }
            #expect(!result.isComplete)
            #expect(result.json["complete"] == false)
            #expect(result.json["events"] == 4)
        }
    }

    @Test("A dry run refuses unknown sources, invalid rules and numbers beyond the limits")
    func refusals() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            #expect(try await client.post("/api/sources/NONE/filters/dry-run", []).status == 404)
            #expect(try await client.post(Self.path, [:]).status == 400)
            for last in ["0", "-1", "x", "1000001"] {
                #expect(try await client.post(Self.path + "?last=\(last)", []).status == 400)
            }
            let many = (0...Limits.dryRunDestinations).map { number -> JSON in
                ["destinationName": .string("D\(number)"), "matchers": [], "transformers": []]
            }
            #expect(try await client.post(Self.path, .array(many)).status == 400)
            #expect(try await client.post(Self.path + "?destination=D3", .array(many)).status == 200)
        }
    }
}

/// Ends the time after a number of questions. Unchecked because every access holds the lock.
private final class Countdown: @unchecked Sendable {
    private let lock = NSLock()
    private var left: Int

    init(_ count: Int) { left = count }

    func isOver() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        left -= 1
        return left < 0
    }
}
