import Crypto
import Foundation
import Testing
import TributaryJSON

/// `tributary plugin`, as an author uses it.
@Suite(.timeLimit(.minutes(30))) struct PluginCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = folder.path + "/" + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func run(_ arguments: String...) async throws -> CommandRun.Outcome {
        try await CommandRun.finish(["plugin"] + arguments)
    }

    private static let script = """
        class Fix extends LivePlugin {
            track(event) {
                if (event.event === "Debug") return null
                event.properties.product_id = event.properties.product_did
                delete event.properties.product_did
                return event
            }
        }
        analytics.add(new Fix(LivePluginType.enrichment, null))
        """
    private static let events = """
        {"type":"track","event":"Viewed","messageId":"m-1","properties":{"product_did":9007199254740993,"x":1.50}}
        {"type":"track","event":"Debug","messageId":"m-2"}
        not json

        {"type":"track","event":"Broken","messageId":"m-3"}
        {"type":"screen","name":"Home","messageId":"m-4"}

        """

    // MARK: test

    @Test("`plugin test --json` writes each event before and after the plugins, with faults and times")
    func testWritesJSON() async throws {
        let outcome = try await run(
            "test", try file("p.js", Self.script), "--events", try file("e.ndjson", Self.events), "--json")
        #expect(outcome.status == 1)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        let results = try lines.map { try JSON.parse($0) }
        #expect(results.count == 4)
        #expect(results.allSatisfy { $0.objectValue?.map(\.key) == ["before", "after", "faults", "microseconds"] })
        #expect(
            lines[0].hasPrefix(
                #"{"before":{"type":"track","event":"Viewed","messageId":"m-1","properties":{"product_did":9007199254740993,"x":1.50}},"#
                    + #""after":{"type":"track","event":"Viewed","messageId":"m-1","properties":{"x":1.50,"product_id":9007199254740993}},"faults":[],"microseconds":"#
            ))
        #expect(results[1]["after"] == .null)
        #expect(results[2]["after"] == results[2]["before"])
        #expect(results[2]["faults"]?[0]?["plugin"] == "Fix")
        #expect(results[2]["faults"]?[0]?["line"] == 4)
        #expect(results[3]["after"] == results[3]["before"])
        #expect(results.allSatisfy { $0["microseconds"]?.doubleValue ?? -1 >= 0 })
        #expect(outcome.errors.contains("line 3 is not JSON: "))
    }

    @Test("`plugin test` shows the changes, drops and faults of the events")
    func testShowsChanges() async throws {
        let script =
            Self.script + """

                class Log extends LivePlugin { screen(event) { console.log("seen"); analytics.track("Seen"); return event } }
                analytics.add(new Log(LivePluginType.before))
                """
        let outcome = try await run(
            "test", try file("p.js", script), "--events", try file("e.ndjson", Self.events))
        #expect(outcome.status == 1)
        for text in [
            "Fix, Log loaded in", #"line 1, track "Viewed" m-1, "#, "  - properties.product_did: 9007199254740993",
            "  + properties.product_id: 9007199254740993", #"line 2, track "Debug" m-2, "#, "dropped",
            "fault  line 5: Fix: TypeError", #"  + makes track "Seen""#,
            "4 events: 1 changed, 1 dropped, 2 untouched, 1 made by scripts", "cost per event: median ",
            "in the workspace, all events have the same result",
        ] { #expect(outcome.output.contains(text), "\(text)") }
        #expect(outcome.errors.contains("log: seen"))
        #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test("`plugin test` exits with 0 when no plugin has a fault")
    func testWithoutFaults() async throws {
        let events = #"{"type":"track","event":"Debug","messageId":"m-2"}"#
        let outcome = try await run(
            "test", try file("p.js", Self.script), "--events", try file("e.ndjson", events))
        #expect(outcome.status == 0)
        #expect(!outcome.output.contains("fault"))
    }

    @Test("`plugin test` refuses unusable scripts, event files and destinations with the reason")
    func testRefusesFiles() async throws {
        let script = try file("p.js", "let x = 1\nclass {")
        let events = try file("e.ndjson", Self.events)
        let syntax = try await run("test", script, "--events", events)
        #expect(syntax.status == 1)
        #expect(syntax.errors.hasPrefix("Error: \(script):2:"))
        let nothing = try await run("test", try file("q.js", ""), "--events", try file("none.ndjson", "\n"))
        #expect(nothing.status == 1)
        #expect(nothing.errors.contains("holds no event"))
        #expect(try await run("test", folder.path + "/missing.js", "--events", events).status == 1)
        let typo = try await run(
            "test", try file("d.js", Self.script.replacing("null)", with: #""Braze")"#)), "--events", events,
            "--destination", "Braz")
        #expect(typo.status == 1)
        #expect(typo.errors.contains("is for the destination Braz; there are Braze"), "\(typo.errors)")
    }

    // MARK: check and new

    @Test("`plugin check` names the plugins, errors and warnings of a script")
    func checkNamesErrors() async throws {
        let good = try await run("check", try file("p.js", Self.script))
        #expect(good.status == 0)
        #expect(good.output.hasPrefix("plugin Fix, enrichment\n"))
        let bad = try file("bad.js", "class P extends LivePlugin {}\nimport x from 'y'")
        let outcome = try await run("check", bad)
        #expect(outcome.status == 1)
        #expect(outcome.output.hasPrefix("error  \(bad):2: import is not offered to scripts\n"))
        let warned = try await run("check", try file("w.js", "analytics.add(new LivePlugin('before'))"))
        #expect(warned.status == 0)
        #expect(warned.output.contains("warning  "))
    }

    @Test("With a source map, `plugin check` names the source line of an error")
    func checkUsesSourceMap() async throws {
        // The map has one segment: all code is on line 3 of plugin.ts.
        let map = try file("p.js.map", #"{"version":3,"sources":["plugin.ts"],"names":[],"mappings":"AAEA"}"#)
        let bundle = try file("p.js", "null.x")
        let outcome = try await run("check", bundle, "--source-map", map)
        #expect(outcome.status == 1)
        #expect(outcome.output.hasPrefix("error  plugin.ts:3: TypeError"), "\(outcome.output)")
        let events = try file("e.ndjson", Self.events)
        let tested = try await run("test", bundle, "--events", events, "--source-map", map)
        #expect(tested.errors.contains("plugin.ts:3"), "\(tested.errors)")
        let broken = try await run("check", bundle, "--source-map", bundle)
        #expect(broken.output.contains("the source map cannot be read"))
    }

    @Test("A template is written with its events, and passes as a new plugin does")
    func templates() async throws {
        let folder = try TemporaryFolder()
        for name in ["bots", "browser", "campaign"] {
            let path = "\(folder.path)/\(name)"
            #expect(try await run("new", name, "--template", name, "--folder", path).status == 0)
            let tested = try await run("test", path + "/plugin.js", "--events", path + "/events.ndjson")
            #expect(tested.status == 0, "\(tested.output)\(tested.errors)")
            #expect(try await run("check", path + "/plugin.js").status == 0)
        }
        let unknown = try await run("new", "x", "--template", "x", "--folder", folder.path + "/x")
        #expect(unknown.status == 64)
        #expect(unknown.errors.contains("there is bots, browser, campaign"))
    }

    @Test("`plugin new` makes a plugin that works, and overwrites no file")
    func newMakesPlugin() async throws {
        let path = folder.path + "/mine"
        let made = try await run("new", "Mine", "--folder", path)
        #expect(made.status == 0)
        #expect(try await run("check", path + "/plugin.js").status == 0)
        let tried = try await run("test", path + "/plugin.js", "--events", path + "/events.ndjson", "--json")
        let first = try JSON.parse(tried.output.split(separator: "\n").first.map(String.init) ?? "")
        #expect(first["after"]?["properties"]?["product_id"] == "p-7")
        #expect(FileManager.default.fileExists(atPath: path + "/liveplugins.d.ts"))
        try "// mine".write(toFile: path + "/plugin.js", atomically: true, encoding: .utf8)
        let again = try await run("new", "Other", "--folder", path)
        #expect(again.output.contains("plugin.js is there already"))
        #expect(try String(contentsOfFile: path + "/plugin.js", encoding: .utf8) == "// mine")
        #expect(try await run("new", "no name").status == 64)
    }

    // MARK: deploy, rollback, list, disable, key

    @Test("Commands sign, deploy, roll back, switch off and list versions of live plugins")
    func deployment() async throws {
        let server = try CommandRun(["serve", "--port", "0", "--data", folder.path + "/data", "--write-key", "WK"])
        let url = try #require(await server.line(after: "tributary: listening on "))
        let options = ["--server", url, "--write-key", "WK"]
        func command(_ arguments: String...) async throws -> CommandRun.Outcome {
            try await CommandRun.finish(["plugin"] + arguments + options)
        }
        #expect(try await command("list").output == "no live plugins are deployed\n")
        let key = folder.path + "/key"
        let publicKey = try await run("key", key).output
        #expect(try await run("key", key).output == publicKey)
        let attributes = try FileManager.default.attributesOfItem(atPath: key)
        #expect(attributes[.posixPermissions] as? Int == 0o600)

        let script = try file("p.js", Self.script)
        let signed = try await command("deploy", script, "--key", key)
        #expect(signed.output.hasPrefix("live plugins version 1, \(Self.script.utf8.count) bytes, sha256 "))
        #expect(signed.output.hasSuffix(", signed\n"))
        let edge = try await TestClient(url: url).get("/v1/projects/WK/settings").json["edgeFunction"]
        let signature = try #require(edge?["signature"]?.stringValue.flatMap { Data(base64Encoded: $0) })
        let bytes = try #require(Data(base64Encoded: publicKey.trimmingCharacters(in: .newlines)))
        let verifier = try Curve25519.Signing.PublicKey(rawRepresentation: bytes)
        #expect(verifier.isValidSignature(signature, for: Data(Self.script.utf8)))

        let bad = try file("bad.js", "class {")
        let refused = try await command("deploy", bad)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("nothing was deployed"))
        #expect(try await command("deploy", bad, "--unchecked", "--yes").status == 0)
        #expect(
            try await command("rollback").output == "live plugins version 3, with the content of version 1\n")
        #expect(try await command("disable").output == "live plugins version 4: switched off\n")
        let list = try await command("list").output.split(separator: "\n")
        #expect(list.count == 4)
        #expect(list.first?.contains("switched off, current") == true)
        #expect(list.last?.hasSuffix(", signed") == true)
        #expect(try JSON.parse(try await command("list", "--json").output)["current"] == 4)
        let missing = try await command("rollback", "--to", "9")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("no version 9"))
        server.signal(SIGTERM)
        _ = try await server.finished()
    }
}
