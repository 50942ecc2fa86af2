import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// The configuration of a workspace as files, with the real executable.
@Suite("Configuration as files", .timeLimit(.minutes(30))) struct ConfigCommandTests {
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

    @Test("An exported configuration changes nothing at its origin and makes another workspace equal")
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

    @Test("Applying a changed file makes the changes of the file and no others")
    func change() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run { workspace async throws in
            try await fill(workspace.client)
            _ = try await run(workspace, "export", folder.path, "--overwrite")
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
            let refused = try await run(workspace, "apply", folder.path)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("WK: the settings of Webhook are deleted: url"), "\(refused.errors)")
            #expect(try await run(workspace, "apply", folder.path, "--yes").output.hasSuffix("2 changes made\n"))
            let integrations = try await workspace.client.get("/api/sources/WK/integrations").json
            #expect(integrations == ["Analytics": ["id": 7]])
            #expect(try await run(workspace, "diff", folder.path).status == 0)
            // An export deletes the file of live plugins that are switched off.
            _ = try await run(workspace, "export", folder.path, "--overwrite")
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/live-plugins-WK.js"))
        }
    }

    @Test(
        "An invalid file changes nothing, and the error names the place",
        arguments: [
            ("{", "is not JSON"), (#"{"version":2,"sources":{}}"#, "is of version 2"),
            (#"{"version":1}"#, "has no sources"),
            (#"{"version":1,"sources":{"WK":{"filter":[]}}}"#, "WK has the unknown member filter"),
            (#"{"version":1,"sources":{"WK":{"filters":{}}}}"#, "filters of WK are not an array"),
            (#"{"version":1,"sources":{"WK":{"integrations":{"A":1}}}}"#, "integrations of WK"),
            (#"{"version":1,"sources":{"WK":{"livePlugins":"../x.js"}}}"#, "a file in the same folder"),
            (#"{"version":1,"sources":{"WK":{"livePlugins":"none.js"}}}"#, "none.js cannot be read"),
            (#"{"version":1,"sources":{"..":{}}}"#, "not only dots"),
            (#"{"version":1,"sources":{"WK":{"percentage":20}}}"#, "belongs into \"staged\""),
            (#"{"version":1,"sources":{"WK":{"staged":{"percentage":20}}}}"#, "need livePlugins and a percentage"),
            (#"{"version":1,"sources":{"WK":{"destinations":[]}}}"#, "destinations of WK are not an object"),
            (
                #"{"version":1,"sources":{"WK":{"destinations":{"A":{"kind":"fax","settings":{}}}}}}"#,
                "the destination A of WK cannot be used: there is no such kind"
            ),
            (
                #"{"version":1,"sources":{"WK":{"destinations":{"A":{"kind":"webhook","settings":{"url":"x"}}}}}}"#,
                "begins with https://"
            ),
            (#"{"version":1,"sources":{"WK":{"destinations":{"Segment.io":{}}}}}"#, "not Segment.io"),
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

    @Test("A staged bundle and the bundle of the other devices are exported and applied")
    func stage() async throws {
        let folder = try TemporaryFolder()
        func edgeFunction(_ workspace: TestWorkspace) async throws -> JSON? {
            try await workspace.client.get("/v1/projects/WK/settings").json["edgeFunction"]
        }
        try await TestWorkspace.run { workspace async throws in
            let path = "/api/sources/WK/live-plugins"
            #expect(try await workspace.client.put(path, "// all").status == 200)
            #expect(try await workspace.client.put(path + "?percentage=30", "// few").status == 200)
            #expect(try await run(workspace, "export", folder.path, "--overwrite").status == 0)
            #expect(try await run(workspace, "diff", folder.path).output == "nothing to change\n")
        }
        #expect(try String(contentsOfFile: folder.path + "/live-plugins-WK.js", encoding: .utf8) == "// all")
        #expect(try String(contentsOfFile: folder.path + "/live-plugins-WK-staged.js", encoding: .utf8) == "// few")
        try await TestWorkspace.run { workspace async throws in
            #expect(try await run(workspace, "apply", folder.path).output.hasSuffix("2 changes made\n"))
            let edge = try await edgeFunction(workspace)
            #expect(edge?["version"] == 1)
            #expect(edge?["staged"]?["percentage"] == 30)
            #expect(try await run(workspace, "diff", folder.path).output == "nothing to change\n")
            // Without the stage all devices get the bundle of the other devices.
            var json = try read(folder)
            json["sources"]?["WK"]?["staged"] = JSON?.none
            try json.prettyPrint().write(toFile: folder.path + "/workspace.json", atomically: true, encoding: .utf8)
            #expect(try await run(workspace, "apply", folder.path).status == 0)
            #expect(try await edgeFunction(workspace)?["version"] == 3)
            #expect(try await workspace.client.get("/v1/projects/WK/live-plugins/3.js").text == "// all")
            _ = try await run(workspace, "export", folder.path, "--overwrite")
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/live-plugins-WK-staged.js"))
        }
    }

    @Test("A shadow is not in the exported settings, and applying these leaves it as it is")
    func shadow() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run { workspace async throws in
            let path = "/api/sources/WK/live-plugins"
            #expect(try await workspace.client.put(path, "// all").status == 200)
            #expect(try await workspace.client.put(path + "?stages=10,100&shadow=30", "// shadow").status == 200)
            let refused = try await workspace.client.put(path + "?percentage=30", "// few")
            #expect(refused.status == 409 && refused.text.contains("version 2 runs as a shadow"), "\(refused.text)")
            #expect(try await run(workspace, "export", folder.path, "--overwrite").status == 0)
            #expect(try read(folder)["sources"]?["WK"]?["staged"] == nil)
            #expect(try await run(workspace, "diff", folder.path).output == "nothing to change\n")
            #expect(try await run(workspace, "apply", folder.path).status == 0)
            let edge = try await workspace.client.get("/v1/projects/WK/settings").json["edgeFunction"]
            #expect(edge?["shadow"]?["version"] == 2)
        }
    }

    @Test("Only the owner can read the exported settings, also when the file existed with another mode")
    func modes() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/workspace.json"
        #expect(
            FileManager.default.createFile(
                atPath: file, contents: Data(), attributes: [.posixPermissions: 0o644]))
        try await TestWorkspace.run { workspace async throws in
            try await fill(workspace.client)
            #expect(try await run(workspace, "export", folder.path, "--overwrite").status == 0)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test("A failed step is named with its source and key")
    func failingStep() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run { workspace async throws in
            #expect(
                try await workspace.client.post("/api/sources/WK/keys", ["key": "OLD", "name": "app 1"]).status == 201)
            _ = try await run(workspace, "export", folder.path, "--overwrite")
            #expect(try await workspace.client.send("DELETE", "/api/sources/WK/keys/OLD", body: nil).status == 200)
            let applied = try await run(workspace, "apply", folder.path)
            #expect(applied.status == 1)
            #expect(
                applied.errors == """
                    Error: WK, + key OLD (app 1): the server refused: the key OLD of this source was revoked, and a \
                    revoked key never comes back

                    """)
        }
    }

    @Test("A source whose key cannot be part of an address does not hide other sources")
    func dots() async throws {
        let folder = try TemporaryFolder()
        let data = try TemporaryFolder()
        try await TestWorkspace.run(in: data) { workspace async throws in
            try await workspace.store.pool.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO source (id, writeKey, name, createdAt, updatedAt, revision, integrations)
                        VALUES (77, '..', 'Up', 0, 0, 1, x'7b7d')
                        """)
            }
        }
        try await TestWorkspace.run(in: data) { workspace async throws in
            let exported = try await run(workspace, "export", folder.path, "--overwrite")
            #expect(exported.output.hasPrefix("1 sources"), "\(exported.errors)")
            #expect(exported.errors.contains("the source \"..\" is left out"))
            #expect(try read(folder)["sources"]?.objectValue?.map(\.key) == ["WK"])
        }
    }

    /// The address has no listener, and the destination is off.
    private static let hook = #"{"kind":"webhook","enabled":false,"settings":{"url":"http://127.0.0.1:9/"}}"#

    private func read(_ folder: TemporaryFolder) throws -> JSON {
        try JSON.parse(try String(contentsOfFile: folder.path + "/workspace.json", encoding: .utf8))
    }

    @Test("Files have destinations without secrets, and a new destination's secret is shown once")
    func destinations() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run { workspace async throws in
            let made = try await workspace.client.put("/api/sources/WK/destinations/Hook", Self.hook)
            #expect(made.status == 201)
            _ = try await run(workspace, "export", folder.path, "--overwrite")
            #expect(try await run(workspace, "diff", folder.path).output == "nothing to change\n")
        }
        let settings: JSON = ["url": "http://127.0.0.1:9/", "timeoutSeconds": 15, "parallelRequests": 8]
        let expected: JSON = ["Hook": ["kind": "webhook", "enabled": false, "settings": settings, "categories": []]]
        let json = try read(folder)
        #expect(json["sources"]?["WK"]?["destinations"] == expected)
        #expect(!json.description.contains("whsec_"))
        try await TestWorkspace.run { workspace async throws in
            let applied = try await run(workspace, "apply", folder.path)
            #expect(applied.output.contains("+ destination Hook"), "\(applied.output)\(applied.errors)")
            #expect(applied.output.components(separatedBy: "whsec_").count == 2)
            #expect(applied.output.hasSuffix("1 changes made\n"))
            let made = try await workspace.client.get("/api/sources/WK/destinations/Hook").json
            #expect(made["settings"] == settings)
            #expect(made["enabled"] == false)
            #expect(try await run(workspace, "apply", folder.path).output == "nothing to change\n")
        }
    }

    @Test("A file has a destination of the kind s3 without its secret, and refuses one with a secret")
    func objectStores() async throws {
        let folder = try TemporaryFolder()
        let settings = #"{"endpoint":"http://127.0.0.1:9","bucket":"events","accessKey":"AK"}"#
        let path = "/api/sources/WK/destinations/Lake"
        try await TestWorkspace.run { workspace async throws in
            let body = #"{"kind":"s3","settings":\#(settings),"secret":"the-secret-key"}"#
            #expect(try await workspace.client.put(path, body).status == 201)
            _ = try await run(workspace, "export", folder.path, "--overwrite")
        }
        var json = try read(folder)
        #expect(!json.description.contains("the-secret-key"))
        try await TestWorkspace.run { workspace async throws in
            let applied = try await run(workspace, "apply", folder.path)
            #expect(applied.output.contains("+ destination Lake"), "\(applied.output)\(applied.errors)")
            let test = try await workspace.client.send("POST", path + "/test", body: [])
            #expect(try test.json["answer"]?.stringValue?.hasPrefix("there is no secret access key") == true)
            #expect(try await run(workspace, "apply", folder.path).output == "nothing to change\n")
            json["sources"]?["WK"]?["destinations"]?["Lake"]?["secret"] = "SK"
            try json.prettyPrint().write(toFile: folder.path + "/workspace.json", atomically: true, encoding: .utf8)
            #expect(try await run(workspace, "diff", folder.path).errors.contains("a file has no secret"))
        }
    }

    @Test("A file changes and removes destinations, and a file without destinations keeps them")
    func destinationsOfAFile() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run { workspace async throws in
            let path = "/api/sources/WK/destinations/Hook"
            #expect(try await workspace.client.put(path, Self.hook).status == 201)
            _ = try await run(workspace, "export", folder.path, "--overwrite")
            func diff(_ destinations: JSON?) async throws -> CommandRun.Outcome {
                var json = try read(folder)
                json["sources"]?["WK"]?["destinations"] = destinations
                try json.prettyPrint().write(
                    toFile: folder.path + "/workspace.json", atomically: true, encoding: .utf8)
                return try await run(workspace, "diff", folder.path)
            }
            // Not `nil`: that literal is also the JSON value `null`.
            #expect(try await diff(JSON?.none).status == 0)
            // Members that a file does not have get their defaults.
            var hook = try JSON.parse(Self.hook)
            #expect(try await diff(["Hook": hook]).status == 0)

            hook["settings"] = ["url": "http://127.0.0.1:9/b"]
            let changed = try await diff(["Hook": hook])
            #expect(changed.status == 3)
            #expect(changed.output.contains("+ settings.url"), "\(changed.output)\(changed.errors)")
            let applied = try await run(workspace, "apply", folder.path)
            #expect(!applied.output.contains("whsec_"))
            #expect(try await workspace.client.get(path).json["settings"]?["url"] == "http://127.0.0.1:9/b")

            #expect(try await diff([:]).output.contains("- destination Hook"))
            _ = try await run(workspace, "apply", folder.path, "--yes")
            #expect(try await workspace.client.get(path).status == 404)
        }
    }

    @Test("The audit log has every change with its author and without secrets")
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
