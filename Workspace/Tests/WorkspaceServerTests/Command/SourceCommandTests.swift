import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Keys, policies and stages, with the real executable.
@Suite("Commands about sources", .timeLimit(.minutes(30))) struct SourceCommandTests {
    private func run(_ workspace: TestWorkspace, _ arguments: String...) async throws -> CommandRun.Outcome {
        try await CommandRun.finish(arguments + ["--server", workspace.client.url, "--write-key", "WK"])
    }

    @Test("A key is replaced while apps go on sending")
    func keys() async throws {
        try await TestWorkspace.run { workspace async throws in
            let added = try await run(workspace, "key", "add", "--name", "app 2")
            #expect(added.status == 0)
            let key = added.output.trimmingCharacters(in: .newlines)
            #expect(try await workspace.client.batch([], writeKey: key).status == 200)
            let revoked = try await run(workspace, "key", "revoke", "WK", "--yes")
            #expect(revoked.output.contains("WK  first, made"))
            #expect(revoked.output.contains(", revoked 20"))
            #expect(try await workspace.client.batch([], writeKey: "WK").status == 401)
            let last = try await run(workspace, "key", "revoke", key, "--yes")
            #expect(last.errors.contains("the last valid key"))
            #expect(try await run(workspace, "key", "list").output.split(separator: "\n").count == 2)
        }
    }

    @Test(
        "The command waits for a long removal of a source and shows its progress",
        arguments: [
            (
                200, #"{"events":4001,"destinations":0,"livePluginVersions":1,"keys":2}"#,
                "WK is removed, with 4,001 events"
            ),
            (404, #"{"error":"there is no source"}"#, "WK is removed\n"),
        ])
    func longRemoval(_ status: Int, _ end: String, _ text: String) async throws {
        let receiver = Receiver { _, before in
            before > 1
                ? Receiver.Answer(status: status, body: end)
                : Receiver.Answer(
                    status: 202, body: #"{"days":3,"daysDone":\#(before),"eventsDone":\#(before * 2_000)}"#)
        }
        try await receiver.run { url in
            let arguments = ["source", "remove", "--yes", "--write-key", "WK", "--server", url]
            let run = try await CommandRun.finish(arguments)
            #expect(
                run.errors == "0 of 3 days are done, 0 events are deleted\n"
                    + "1 of 3 days are done, 2,000 events are deleted\n")
            #expect(run.output.hasPrefix(text), "\(run.output)")
            #expect(run.status == 0)
        }
    }

    @Test("A change of one part of a policy keeps the other parts")
    func policy() async throws {
        try await TestWorkspace.run { workspace async throws in
            _ = try await run(workspace, "policy", "--events-per-day", "10", "--ip", "truncate")
            _ = try await run(
                workspace, "policy", "--requests-per-second", "5", "--capture", "network", "--sample-rate", "0.25",
                "--disable-automatic", "--health-sample-rate", "0.5", "--unsaid-consent", "drop")
            _ = try await run(workspace, "policy", "--gpc-refuses", "ads, sale")
            _ = try await run(workspace, "policy", "--personal", "card, patient")
            let shown = try await run(workspace, "policy", "--events-per-day", "0")
            let expected: JSON = [
                "quota": ["eventsPerDay": .null, "requestsPerSecond": 5], "ip": "truncate", "country": "auto",
                "signals": [
                    "disableTraffic": false, "sampleRate": 1,
                    "sources": ["network": ["enabled": false, "sampleRate": 0.25]],
                ],
                "healthReports": ["sampleRate": 0.5], "consent": ["unsaid": "drop", "gpcRefuses": ["ads", "sale"]],
                "personal": ["card", "patient"], "timeZone": "UTC",
            ]
            #expect(try JSON.parse(shown.output) == expected)
            #expect(try await run(workspace, "policy", "--ip", "hide").status == 1)
            #expect(try await run(workspace, "policy", "--disable-automatic").status == 1)
        }
    }

    @Test("The configuration has keys, policy and roll-out, and makes another workspace equal")
    func configuration() async throws {
        let folder = try TemporaryFolder()
        let plugin = folder.path + "/p.js"
        try "// one".write(toFile: plugin, atomically: true, encoding: .utf8)
        try await TestWorkspace.run { workspace async throws in
            _ = try await run(workspace, "key", "add", "--name", "app 2", "--key", "K2")
            _ = try await run(workspace, "policy", "--ip", "drop")
            let deployed = try await run(workspace, "plugin", "deploy", plugin, "--rollout", "20%")
            #expect(deployed.output.hasSuffix("for 20 % of devices\n"), "\(deployed.errors)")
            #expect(try await run(workspace, "plugin", "list").output.contains(", for 20 % of devices"))
            _ = try await CommandRun.finish(["config", "export", folder.path, "--server", workspace.client.url])
            let same = try await CommandRun.finish(["config", "diff", folder.path, "--server", workspace.client.url])
            #expect(same.output == "nothing to change\n")
        }
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let server = ["--server", client.url]
            #expect(try await client.post("/api/sources/WK/keys", ["key": "OLD"]).status == 201)
            let applied = try await CommandRun.finish(["config", "apply", folder.path, "--yes"] + server)
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
            json["sources"]?["WK"]?["staged"]?["percentage"] = 60
            try json.prettyPrint().write(toFile: file, atomically: true, encoding: .utf8)
            let wider = try await CommandRun.finish(["config", "apply", folder.path] + server)
            #expect(wider.output.contains("live plugins for 20 → 60 % of devices"), "\(wider.output)\(wider.errors)")
            #expect(try await CommandRun.finish(["config", "diff", folder.path] + server).status == 0)
            #expect(
                try await run(workspace, "plugin", "widen").output == "live plugins version 1 for 100 % of devices\n")
        }
    }

    @Test("Sources are listed, added and renamed; renaming an unknown source adds none")
    func sources() async throws {
        try await TestWorkspace.run { workspace async throws in
            let server = ["--server", workspace.client.url]
            let added = try await CommandRun.finish(["source", "add", "Web shop"] + server)
            let key = added.output.trimmingCharacters(in: .newlines)
            #expect(key.count == 32)
            #expect(try await workspace.client.batch([Events.track(messageId: "m")], writeKey: key).status == 200)
            let named = try await CommandRun.finish(["source", "add", "App", "--write-key", "APP"] + server)
            #expect(named.output == "APP\n")
            let again = try await CommandRun.finish(["source", "add", "App", "--write-key", "APP"] + server)
            #expect(again.errors.contains("there is a source APP already"), "\(again.errors)")
            let renamed = try await CommandRun.finish(["source", "rename", "Till", "--write-key", "APP"] + server)
            #expect(renamed.output == "APP is called Till\n")
            let nobody = try await CommandRun.finish(["source", "rename", "Till", "--write-key", "NONE"] + server)
            #expect(nobody.status == 1)
            let list = try await CommandRun.finish(["source", "list"] + server)
            let lines = list.output.split(separator: "\n")
            #expect(lines.count == 3, "\(list.output)")
            #expect(lines.last?.hasPrefix("APP  Till  made 20") == true)
            #expect(lines.last?.hasSuffix(", 1 valid key, 0 filters, no live plugins") == true)
            for key in [".", "..", "a b"] {
                let refused = try await CommandRun.finish(["source", "add", "X", "--write-key", key] + server)
                #expect(refused.errors.contains("a write key has 1 to"), "\(key): \(refused.errors)")
            }
        }
    }

    @Test("Sources are listed in the order of their creation")
    func order() async throws {
        let clock = TestClock()
        let environment = WorkspaceEnvironment(now: { clock.now }, makeWriteKey: { "K" })
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let keys = ["WK", "C", "A", "H", "B", "G", "D", "F", "E"]
            for key in keys.dropFirst() {
                clock.advance(by: 1)
                #expect(try await workspace.client.post("/api/sources", ["writeKey": .string(key)]).status == 201)
            }
            let sources = try await workspace.client.get("/api/sources").json["sources"]?.elements ?? []
            #expect(sources.compactMap { $0["writeKey"]?.stringValue } == keys)
        }
    }

    @Test("A source is removed only with --yes, with its events and all its data")
    func removal() async throws {
        try await TestWorkspace.run(writeKeys: ["WK", "OTHER"]) { workspace async throws in
            let client = workspace.client
            try await client.batch([Events.track(messageId: "m-1"), Events.track(messageId: "m-2")])
            try await client.batch([Events.track(messageId: "m-1")], writeKey: "OTHER")
            #expect(try await client.post("/api/sources/WK/keys", ["key": "K2"]).status == 201)
            #expect(try await client.put("/api/sources/WK/live-plugins", "// 1").status == 200)
            let hook = #"{"kind":"webhook","enabled":false,"settings":{"url":"http://127.0.0.1:9/"}}"#
            #expect(try await client.put("/api/sources/WK/destinations/Hook", hook).status == 201)
            let asked = try await run(workspace, "source", "remove")
            #expect(asked.status == 1)
            for text in ["2 events", "2 keys (WK, K2)", "1 destinations (Hook)", "1 versions of live plugins"] {
                #expect(asked.errors.contains(text), "\(asked.errors)")
            }
            #expect(asked.errors.contains("nothing was removed; add --yes to do it"))
            #expect(try await client.events().count == 3)

            let removed = try await run(workspace, "source", "remove", "--yes")
            #expect(
                removed.output
                    == "WK is removed, with 2 events, 1 destinations, 1 versions of live plugins and 2 keys\n")
            #expect(try await client.events().map { $0["writeKey"] } == ["OTHER"])
            #expect(try await client.batch([], writeKey: "K2").status == 401)
            #expect(try await client.get("/v1/projects/WK/settings").status == 404)
            #expect(try await run(workspace, "source", "remove", "--yes").status == 1)
            let audit = try await client.get("/api/audit?writeKey=WK").json["entries"]?[0]
            #expect(audit?["action"] == "source removed")
            #expect(audit?["details"]?["events"] == 2)

            // The audit log still has a removed source, and an unknown key is a mistake.
            #expect(try await CommandRun.finish(["audit", "--write-key", "WK", "--server", client.url]).status == 0)
            let typo = try await CommandRun.finish(["audit", "--write-key", "TYPO", "--server", client.url])
            #expect(typo.status == 1)
            #expect(typo.errors.contains("there is no source with the write key TYPO"), "\(typo.errors)")
            #expect(typo.output.isEmpty)

            // A new source with the same key is another source, and has no events of the first source.
            #expect(try await client.put("/api/sources/WK", "").status == 201)
            #expect(try await client.get("/api/sources/WK/destinations").json["destinations"] == [])
            try await client.batch([Events.track(messageId: "m-1")])
            #expect(try await client.events().count == 2)
        }
    }

    @Test("Destinations in the app are switched on and off in the settings")
    func settings() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/amplitude.json"
        try #"{"apiKey":"from a file","deep":{"a":[1]}}"#.write(toFile: file, atomically: true, encoding: .utf8)
        try await TestWorkspace.run { workspace async throws in
            func integrations() async throws -> JSON? {
                try await workspace.client.get("/v1/projects/WK/settings").json["integrations"]
            }
            #expect(
                try await run(workspace, "settings", "destination", "list").output
                    == "no destination in the app is on; events go to the workspace\n")
            let set = try await run(
                workspace, "settings", "destination", "set", "Amplitude", "apiKey=a=b", "limit=5", "debug=true",
                #"text="5""#)
            #expect(set.output == "Amplitude is on, with settings apiKey, limit, debug, text\n", "\(set.errors)")
            #expect(
                try await integrations()?["Amplitude"]
                    == ["apiKey": "a=b", "limit": 5, "debug": true, "text": "5"])
            let refused = try await run(workspace, "settings", "destination", "set", "Amplitude", "--file", file)
            #expect(
                refused.errors.contains("settings of Amplitude that are not named are deleted: limit, debug, text"))
            #expect(refused.errors.hasSuffix("nothing was changed; add --yes to do it\n"))
            _ = try await run(workspace, "settings", "destination", "set", "Amplitude", "--file", file, "--yes")
            #expect(try await integrations()?["Amplitude"] == ["apiKey": "from a file", "deep": ["a": [1]]])
            _ = try await run(workspace, "settings", "destination", "set", "My Own")
            let list = try await run(workspace, "settings", "destination", "list")
            #expect(list.output == "Amplitude  apiKey, deep\nMy Own  no settings\n")
            #expect(
                try await run(workspace, "settings", "destination", "remove", "Amplitude", "--yes").output
                    == "Amplitude is off\n")
            #expect(try await integrations()?["Amplitude"] == nil)
            let none = try await run(workspace, "settings", "destination", "remove", "Amplitude")
            #expect(none.errors == "Error: the destination Amplitude is not on\n")
            #expect(try await run(workspace, "settings", "destination", "set", "X", "novalue").status == 64)
        }
    }

    @Test("Commands find their workspace in the environment")
    func address() async throws {
        try await TestWorkspace.run { workspace async throws in
            let list = try await CommandRun(
                ["source", "list"], environment: ["TRIBUTARY_SERVER": workspace.client.url]
            ).finished()
            #expect(list.output.hasPrefix("WK  WK  made "), "\(list.errors)")
        }
    }
}
