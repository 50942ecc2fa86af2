import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceServer

/// The configuration of a workspace as files, with the real executable.
@Suite("Configuration as files", .timeLimit(.minutes(2))) struct ConfigCommandTests {
    private static let rule: JSON = [
        "destinationName": "Webhook", "matchers": [["type": "fql", "ir": "[\"=\", \"type\", {\"value\":\"screen\"}]"]],
        "scope": "destinations", "target_type": "workspace::project::destination::config",
        "transformers": [[["type": "drop"]]],
    ]

    private func run(_ workspace: TestWorkspace, _ arguments: String...) async throws -> CommandRun.Outcome {
        try await CommandRun.finish(["config"] + arguments + ["--server", workspace.client.url])
    }

    private func fill(_ client: TestClient) async throws {
        #expect(try await client.put("/api/sources/WK", #"{"name":"Shop"}"#).status == 200)
        #expect(
            try await client.put("/api/sources/WK/integrations", #"{"Webhook":{"url":"http://h.test"}}"#).status == 200)
        #expect(try await client.put("/api/sources/WK/live-plugins", "// one").status == 200)
    }

    @Test("what was exported changes nothing where it came from, and makes another workspace the same")
    func roundTrip() async throws {
        let folder = try TemporaryFolder()
        let files = folder.path + "/config"
        try await TestWorkspace.run { workspace async throws in
            try await fill(workspace.client)
            let outcome = try await run(workspace, "export", files)
            #expect(outcome.status == 0)
            #expect(outcome.output == "1 sources, 1 of them with live plugins, are in \(files)\n")
            let same = try await run(workspace, "diff", files)
            #expect(same.status == 0)
            #expect(same.output == "nothing to change\n")
        }
        #expect(try String(contentsOfFile: files + "/live-plugins-WK.js", encoding: .utf8) == "// one")
        try await TestWorkspace.run(writeKeys: ["OTHER"]) { workspace async throws in
            let different = try await run(workspace, "diff", files)
            #expect(different.status == 3)
            #expect(different.output.contains("OTHER is only in the workspace"))
            #expect(try await workspace.client.get("/api/sources/WK/filters").status == 404)
            let applied = try await run(workspace, "apply", files)
            #expect(applied.status == 0)
            #expect(applied.output.hasSuffix("3 changes made\n"))
            let settings = try await workspace.client.get("/v1/projects/WK/settings").json
            #expect(settings["integrations"]?["Webhook"]?["url"] == "http://h.test")
            #expect(settings["edgeFunction"]?["version"] == 1)
            #expect(try await run(workspace, "diff", files).status == 0)
        }
    }

    @Test("a changed file changes that and nothing else")
    func change() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run { workspace async throws in
            try await fill(workspace.client)
            _ = try await run(workspace, "export", folder.path)
            let file = folder.path + "/workspace.json"
            var json = try JSON.parse(try String(contentsOfFile: file, encoding: .utf8))
            json["sources"]?["WK"]?["integrations"] = ["Analytics": ["id": 7]]
            json["sources"]?["WK"]?["livePlugins"] = .some(.null)
            try json.prettyPrint().write(toFile: file, atomically: true, encoding: .utf8)
            let diff = try await run(workspace, "diff", folder.path)
            #expect(diff.output.contains("- Webhook"))
            #expect(diff.output.contains("+ Analytics"))
            #expect(diff.output.contains("live plugins, 6 bytes, are switched off"))
            #expect(!diff.output.contains("filters"))
            #expect(try await run(workspace, "apply", folder.path).output.hasSuffix("2 changes made\n"))
            let integrations = try await workspace.client.get("/api/sources/WK/integrations").json
            #expect(integrations == ["Analytics": ["id": 7]])
            #expect(try await run(workspace, "diff", folder.path).status == 0)
            // Where live plugins are off, the exported file of them goes.
            _ = try await run(workspace, "export", folder.path)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/live-plugins-WK.js"))
        }
    }

    @Test(
        "a file that is wrong changes nothing and says where",
        arguments: [
            ("{", "is not JSON"), (#"{"version":2,"sources":{}}"#, "is of version 2"),
            (#"{"version":1}"#, "has no sources"),
            (#"{"version":1,"sources":{"WK":{"filter":[]}}}"#, "WK has filter, which means nothing here"),
            (#"{"version":1,"sources":{"WK":{"filters":{}}}}"#, "filters of WK are not an array"),
            (#"{"version":1,"sources":{"WK":{"integrations":{"A":1}}}}"#, "integrations of WK"),
            (#"{"version":1,"sources":{"WK":{"livePlugins":"../x.js"}}}"#, "a file in the same folder"),
            (#"{"version":1,"sources":{"WK":{"livePlugins":"none.js"}}}"#, "none.js cannot be read"),
        ])
    func wrong(text: String, message: String) async throws {
        let folder = try TemporaryFolder()
        try text.write(toFile: folder.path + "/workspace.json", atomically: true, encoding: .utf8)
        try await TestWorkspace.run { workspace async throws in
            try await fill(workspace.client)
            let outcome = try await run(workspace, "apply", folder.path)
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
            let settings = try await workspace.client.get("/v1/projects/WK/settings").json
            #expect(settings["edgeFunction"]?["version"] == 1)
        }
    }

    @Test("every change is in the audit log, with who made it, and without secrets")
    func audit() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            try await fill(client)
            let filters = JSON.array([Self.rule]).description
            #expect(try await client.put("/api/sources/WK/filters", filters).status == 200)
            #expect(try await client.send("DELETE", "/api/sources/WK/live-plugins", body: nil).status == 200)
            let cookie = try await client.login()
            #expect(
                try await client.stranger.send(
                    "POST", "/api/sources/WK/live-plugins/rollback", body: nil, headers: ["Cookie": cookie]
                ).status == 200)
            #expect(try await client.put("/api/sources/WK/filters", #"{"not":"rules"}"#).status == 400)
            let entries = try await client.get("/api/audit").json["entries"]?.elements ?? []
            let lines = entries.reversed().map { entry in
                "\(entry["by"]?.stringValue ?? "") \(entry["action"]?.stringValue ?? "") \(entry["writeKey"]?.stringValue ?? "")"
            }
            #expect(
                lines == [
                    "server source made WK", "server admin token replaced ", "token source renamed WK",
                    "token integrations changed WK", "token live plugins deployed WK", "token filters replaced WK",
                    "token live plugins switched off WK", "login live plugins rolled back WK",
                ])
            #expect(!entries.description.contains("h.test"))
            #expect(entries.first?["details"]?["contentOf"] == 1)
            let first = try await client.get("/api/audit?limit=2").json
            #expect(first["entries"]?.elements?.count == 2)
            let rest = try await client.get("/api/audit?before=\(first["next"]?.intValue ?? 0)").json
            #expect(rest["entries"]?.elements?.count == entries.count - 2)
            let shown = try await CommandRun.finish(["audit", "--server", client.url, "--write-key", "WK"])
            #expect(shown.output.split(separator: "\n").count == 7)
            #expect(shown.output.contains("token  WK  integrations changed: changed [\"Webhook\"], removed []"))
        }
    }
}
