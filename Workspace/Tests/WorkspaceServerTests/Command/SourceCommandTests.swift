import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceServer

/// Keys, policies and stages, with the real executable.
@Suite("Commands about sources", .timeLimit(.minutes(2))) struct SourceCommandTests {
    private func run(_ workspace: TestWorkspace, _ arguments: String...) async throws -> CommandRun.Outcome {
        try await CommandRun.finish(arguments + ["--server", workspace.client.url, "--write-key", "WK"])
    }

    @Test("a key is changed without an app that stops to send")
    func keys() async throws {
        try await TestWorkspace.run { workspace async throws in
            let added = try await run(workspace, "key", "add", "--name", "app 2")
            #expect(added.status == 0)
            let key = added.output.trimmingCharacters(in: .newlines)
            #expect(try await workspace.client.batch([], writeKey: key).status == 200)
            let revoked = try await run(workspace, "key", "revoke", "WK")
            #expect(revoked.output.contains("WK  first, made"))
            #expect(revoked.output.contains(", revoked 20"))
            #expect(try await workspace.client.batch([], writeKey: "WK").status == 401)
            let last = try await run(workspace, "key", "revoke", key)
            #expect(last.errors.contains("the last valid key"))
            #expect(try await run(workspace, "key", "list").output.split(separator: "\n").count == 2)
        }
    }

    @Test("a policy is changed by parts")
    func policy() async throws {
        try await TestWorkspace.run { workspace async throws in
            _ = try await run(workspace, "policy", "--events-per-day", "10", "--ip", "truncate")
            _ = try await run(
                workspace, "policy", "--requests-per-second", "5", "--capture", "network", "--sample-rate", "0.25",
                "--disable-automatic")
            let shown = try await run(workspace, "policy", "--events-per-day", "0")
            let expected: JSON = [
                "quota": ["eventsPerDay": .null, "requestsPerSecond": 5], "ip": "truncate",
                "signals": [
                    "disableTraffic": false, "sampleRate": 1,
                    "sources": ["network": ["enabled": false, "sampleRate": 0.25]],
                ],
            ]
            #expect(try JSON.parse(shown.output) == expected)
            #expect(try await run(workspace, "policy", "--ip", "hide").status == 1)
            #expect(try await run(workspace, "policy", "--disable-automatic").status == 1)
        }
    }

    @Test("keys, policy and stage are in the configuration, and applying it makes another workspace the same")
    func configuration() async throws {
        let folder = try TemporaryFolder()
        let plugin = folder.path + "/p.js"
        try "// one".write(toFile: plugin, atomically: true, encoding: .utf8)
        try await TestWorkspace.run { workspace async throws in
            _ = try await run(workspace, "key", "add", "--name", "app 2", "--key", "K2")
            _ = try await run(workspace, "policy", "--ip", "drop")
            #expect(
                try await run(workspace, "plugin", "deploy", plugin, "--percentage", "20").output.hasSuffix(
                    "for 20 % of devices\n"))
            #expect(try await run(workspace, "plugin", "list").output.contains(", for 20 % of devices"))
            _ = try await CommandRun.finish(["config", "export", folder.path, "--server", workspace.client.url])
            let same = try await CommandRun.finish(["config", "diff", folder.path, "--server", workspace.client.url])
            #expect(same.output == "nothing to change\n")
        }
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let server = ["--server", client.url]
            #expect(try await client.post("/api/sources/WK/keys", ["key": "OLD"]).status == 201)
            let applied = try await CommandRun.finish(["config", "apply", folder.path] + server)
            #expect(applied.output.contains("key OLD (OLD) is revoked"), "\(applied.output)\(applied.errors)")
            #expect(applied.output.contains("+ key K2 (app 2)"))
            #expect(
                applied.output.contains("- ip: asSent") || applied.output.contains("- $.ip: asSent")
                    || applied.output.contains("asSent"))
            #expect(try await client.batch([], writeKey: "K2").status == 200)
            #expect(try await client.batch([], writeKey: "OLD").status == 401)
            #expect(try await client.get("/api/sources/WK/policy").json["ip"] == "drop")
            let edge = try await client.get("/v1/projects/WK/settings").json["edgeFunction"]
            #expect(edge?["staged"]?["percentage"] == 20)

            let file = folder.path + "/workspace.json"
            var json = try JSON.parse(try String(contentsOfFile: file, encoding: .utf8))
            json["sources"]?["WK"]?["percentage"] = 60
            try json.prettyPrint().write(toFile: file, atomically: true, encoding: .utf8)
            let wider = try await CommandRun.finish(["config", "apply", folder.path] + server)
            #expect(wider.output.contains("live plugins for 20 → 60 % of devices"), "\(wider.output)\(wider.errors)")
            #expect(try await CommandRun.finish(["config", "diff", folder.path] + server).status == 0)
            #expect(
                try await run(workspace, "plugin", "widen").output == "live plugins version 1 for 100 % of devices\n")
        }
    }
}
