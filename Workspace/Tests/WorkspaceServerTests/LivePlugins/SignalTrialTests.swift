import Foundation
import HTTPTypes
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Trying a generator on a session of signals", .timeLimit(.minutes(30))) struct SignalTrialTests {
    private static let path = "/api/sources/WK/signals/try"

    private func trial(_ source: String, _ signals: [JSON], of workspace: TestWorkspace) async throws -> JSON {
        let body: JSON = ["source": .string(source), "signals": .array(signals)]
        let answer = try await workspace.client.send("POST", Self.path, body: Array(body.description.utf8))
        #expect(answer.status == 200)
        return try answer.json
    }

    private static func signal(_ index: Int, type: String = "interaction", title: String = "Buy") -> JSON {
        [
            "index": .number(index), "type": .string(type), "anonymousId": "a",
            "data": ["target": ["title": .string(title)]],
        ]
    }

    @Test("A trial shows which signal made which events, and stores nothing")
    func events() async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            let generator = """
                function processSignal(signal) {
                  if (signal.type != SignalType.Interaction) return;
                  console.log("seen " + signal.data.target.title);
                  if (signal.data.target.title == "Broken") throw new Error("no price");
                  analytics.track("Tapped", {title: signal.data.target.title});
                }
                """
            let signals = [
                Self.signal(1, type: "navigation"), Self.signal(2), Self.signal(3, title: "Broken"),
            ]
            let answer = try await trial(generator, signals, of: workspace)
            #expect(answer["usable"] == true)
            #expect(answer["generator"] == true)
            #expect(answer["signals"] == 3)
            #expect(answer["events"] == 1)
            #expect(answer["complete"] == true)
            let results = try #require(answer["results"]?.elements)
            #expect(results.compactMap { $0["position"]?.intValue } == [1, 2])
            #expect(results[0]["events"]?[0]?["event"] == "Tapped")
            #expect(results[0]["events"]?[0]?["properties"]?["title"] == "Buy")
            #expect(results[1]["fault"]?.stringValue?.contains("no price") == true)
            #expect(results[1]["fault"]?.stringValue?.contains("plugins.js:4") == true)
            #expect(answer["console"]?.elements?.count == 2)
            #expect(try await workspace.client.get("/api/events").json["events"] == [])
        }
    }

    @Test("A trial counts the signals that a broadcaster has made unreadable")
    func unreadable() async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            let generator =
                "function processSignal(signal) { if (signal.data.target.title == 'Buy') analytics.track('Bought') }"
            let answer = try await trial(generator, [Self.signal(1), Self.signal(2, title: "XXX")], of: workspace)
            #expect(answer["events"] == 1)
            #expect(answer["unreadable"] == 1)
        }
    }

    @Test("A script with a mistake or without processSignal is not run, and the answer has the reason")
    func unusable() async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            let without = try await trial("const one = 1;", [Self.signal(1)], of: workspace)
            #expect(without["generator"] == false)
            #expect(without["signals"] == 0)
            let broken = try await trial("function processSignal( {", [Self.signal(1)], of: workspace)
            #expect(broken["usable"] == false)
            #expect(broken["findings"]?.elements?.first?["line"] == 1)
        }
    }

    @Test("An endless generator ends with its budget")
    func endless() async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            let answer = try await trial("function processSignal() { for (;;) {} }", [Self.signal(1)], of: workspace)
            #expect(answer["results"]?.elements?.count == 1)
            #expect(answer["results"]?[0]?["fault"]?.stringValue != nil)
        }
    }

    @Test(
        "A body that is no session of signals is refused with the reason",
        arguments: [
            ("{", 400, "not JSON"), ("[]", 400, "source"), (#"{"source":"// 1"}"#, 400, "signals"),
            (#"{"source":"","signals":[{"type":"a"},7]}"#, 400, "signals[1]"),
        ])
    func refused(body: String, status: Int, reason: String) async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            let answer = try await workspace.client.send("POST", Self.path, body: Array(body.utf8))
            #expect(answer.status == status)
            #expect(answer.text.contains(reason))
        }
    }

    @Test("A script or a list of signals beyond the limits is refused")
    func limits() async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            let long = String(repeating: " ", count: Limits.bundleBytes + 1)
            let script: JSON = ["source": .string(long), "signals": []]
            let first = try await workspace.client.send("POST", Self.path, body: Array(script.description.utf8))
            #expect(first.status == 413)
            let signals = [JSON](repeating: ["type": "a"], count: Limits.trialMostEvents + 1)
            let many: JSON = ["source": "", "signals": .array(signals)]
            let second = try await workspace.client.send("POST", Self.path, body: Array(many.description.utf8))
            #expect(second.status == 400)
        }
    }
}
