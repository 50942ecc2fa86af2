import Foundation
import Testing
import TributaryJSON

/// Tables that go out with live plugins, from a file to an event.
@Suite(.timeLimit(.minutes(30))) struct PluginTableTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = folder.path + "/" + name
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private static let script = """
        class AddCategory extends LivePlugin {
            track(event) {
                event.properties.category = tables.get("sku", event.properties.sku)?.category ?? "unknown"
                return event
            }
        }
        analytics.add(new AddCategory(LivePluginType.enrichment, null))

        """
    private static let events = """
        {"type":"track","event":"Viewed","messageId":"m-1","properties":{"sku":"A-1"}}
        {"type":"track","event":"Viewed","messageId":"m-2","properties":{"sku":"A-9"}}

        """

    private func run(_ arguments: String...) async throws -> CommandRun.Outcome {
        try await CommandRun.finish(["plugin"] + arguments)
    }

    @Test("`test`, `check` and `build` take tables from files")
    func withoutServer() async throws {
        let script = try file("p.js", Self.script)
        let table = "sku=" + (try file("sku.csv", "sku,category\nA-1,Shoes\n"))
        let events = try file("e.ndjson", Self.events)
        let tested = try await run("test", script, "--events", events, "--table", table)
        #expect(tested.status == 0, "\(tested)")
        #expect(tested.output.contains(#"  + properties.category: "Shoes""#), "\(tested.output)")
        #expect(tested.output.contains("in the workspace, all events have the same result"))
        let checked = try await run("check", script, "--table", table)
        #expect(checked.status == 0)
        #expect(checked.output.contains("table sku, 1 entry, 28 bytes\n"), "\(checked.output)")
        let without = try await run("check", script)
        #expect(without.status == 1)
        #expect(without.output.contains("p.js:3: the bundle has no table \"sku\"; --table sku=FILE adds it"))

        let built = try await run("build", script, "--table", table)
        #expect(built.output.hasPrefix("/*tributary tables ") && built.output.hasSuffix("\n" + Self.script))
        let bundle = try file("bundle.js", built.output)
        #expect(try await run("test", bundle, "--events", events).output.contains(#""Shoes""#))
        // The table of a file replaces that of the bundle, and other tables stay.
        let other = "bots=" + (try file("bots.json", #"{"Crawler": true}"#))
        let more = try await run("check", bundle, "--table", other)
        #expect(more.output.contains("table sku, 1 entry") && more.output.contains("table bots, 1 entry"))
        let newer = "sku=" + (try file("newer.json", #"{"A-1": {"category": "Boots"}, "A-9": {"category": "Hats"}}"#))
        let replaced = try await run("test", bundle, "--events", events, "--table", newer, "--json")
        #expect(replaced.output.contains(#""Boots""#) && replaced.output.contains(#""Hats""#))
    }

    @Test("Faults of scripts with tables name the files and lines of their author")
    func places() async throws {
        let wrong = Self.script.replacing("?.category", with: ".category")
        _ = try file("plugins/a.js", "// one\n")
        _ = try file("plugins/b.js", wrong)
        let table = "sku=" + (try file("sku.csv", "sku,category\nA-1,Shoes\n"))
        let events = try file("e.ndjson", Self.events)
        let joined = try await run("test", folder.path + "/plugins", "--events", events, "--table", table)
        #expect(joined.status == 1)
        #expect(joined.output.contains("(b.js:3)"), "\(joined.output)")
        let alone = try await run("test", try file("p.js", wrong), "--events", events, "--table", table)
        #expect(alone.output.contains("line 2: AddCategory: ") && alone.output.contains("p.js:3"), "\(alone.output)")
        let strict = try file("s.js", "\"use strict\"\nundeclared = 1\n")
        let checked = try await run("check", strict, "--table", table)
        #expect(checked.output.contains("s.js:2: ReferenceError"), "\(checked.output)")
        _ = try file("plugins/c.js", try await run("build", strict, "--table", table).output)
        let refused = try await run("check", folder.path + "/plugins")
        #expect(refused.errors.contains("c.js is a bundle with tables"), "\(refused)")
    }

    @Test(
        "A table that cannot go out is refused with file and line",
        arguments: [
            ("t.csv", "k,v\na,1\na,2\n", "t.csv:3: the key \"a\" is there twice, first in line 2"),
            ("t.json", "{\n\"a\": [[[[[1]]]]]}", "t.json:2: nested deeper than 5 levels"),
            ("t.txt", "k,v\n", "t.txt: the name of a file with a table ends with .csv or .json"),
            ("t.json", "{\"a\": \"\(String(repeating: "x", count: 270_000))\"}", "together they have at most 262144"),
        ])
    func refused(name: String, text: String, message: String) async throws {
        let script = try file("p.js", Self.script)
        let outcome = try await run("check", script, "--table", "t=" + (try file(name, text)))
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test("An option that names no table is refused", arguments: ["t", "=t.csv", "t=", "a b=t.csv", "t=nowhere.csv"])
    func wrongOptions(option: String) async throws {
        _ = try file("t.csv", "k\na\n")
        let outcome = try await run(
            "check", try file("p.js", Self.script), "--table", option.replacing("t.csv", with: folder.path + "/t.csv"))
        #expect(outcome.status != 0, "\(outcome)")
        let twice = try await run("check", folder.path + "/p.js", "--table", "a=x.csv", "--table", "a=y.csv")
        #expect(twice.status == 64 && twice.errors.contains("--table a=… is given twice"), "\(twice.errors)")
    }

    // MARK: With a server

    private func withServer(
        _ body: (_ command: ([String]) async throws -> CommandRun.Outcome, _ url: String) async throws -> Void
    ) async throws {
        let server = try CommandRun(["serve", "--port", "0", "--data", folder.path + "/data", "--write-key", "WK"])
        let url = try #require(await server.line(after: "tributary: listening on "))
        try await body({ try await CommandRun.finish($0 + ["--server", url, "--write-key", "WK"]) }, url)
        server.signal(SIGTERM)
        _ = try await server.finished()
    }

    @Test("A deployment says what happens to tables, keeps them on demand, and a roll-back brings them back")
    func deployments() async throws {
        let script = try file("p.js", Self.script)
        let plain = try file("plain.js", Self.script.replacing("tables.get", with: "new Map().get"))
        let table = "sku=" + (try file("sku.csv", "sku,category\nA-1,Shoes\nA-2,Hats\n"))
        let newer = "sku=" + (try file("newer.csv", "sku,category\nA-1,Boots\nA-3,Socks\n"))
        let bots = "bots=" + (try file("bots.csv", "agent\nCrawler\n"))
        let key = folder.path + "/key"
        try await withServer { command, _ in
            let deploy = ["plugin", "deploy"]
            _ = try await CommandRun.finish(["plugin", "key", key])
            let signed = try await command(deploy + [script, "--table", table, "--table", bots, "--key", key])
            #expect(signed.output.contains(", signed"), "\(signed)")
            #expect(signed.errors.hasSuffix("adds AddCategory, the table sku, the table bots\n"), "\(signed.errors)")
            // Only the script is deployed: it reads a table that would be gone.
            let bare = try await command(deploy + [script])
            #expect(bare.status == 1)
            #expect(bare.errors.contains("p.js:3: the bundle has no table \"sku\""), "\(bare.errors)")
            let removing = try await command(deploy + [plain])
            #expect(removing.status == 1)
            #expect(
                removing.errors.contains(
                    "it would remove the table sku, the table bots; nothing was deployed; add --yes"))
            #expect(removing.errors.contains("or --keep-tables"))
            let kept = try await command(deploy + [script, "--keep-tables", "--table", newer])
            #expect(kept.status == 0, "\(kept)")
            #expect(
                kept.errors.contains("changes the table sku (entries: 1 removed, 1 added, 1 changed)\n"),
                "\(kept.errors)")
            let difference = try await command(["plugin", "diff", "1"]).output
            #expect(difference == "changes the table sku (entries: 1 removed, 1 added, 1 changed)\n")
            let shown = try await command(["plugin", "show", "1"]).output
            #expect(shown.hasPrefix("/*tributary tables ") && shown.contains(#""A-2""#))
            let back = try await command(["plugin", "rollback"])
            #expect(back.output.contains("with the content of version 1"), "\(back)")
            #expect(try await command(["plugin", "show"]).output == shown)
            let same = try await command(deploy + [script, "--keep-tables"])
            #expect(same.errors.hasSuffix("the text is the deployed one\n"), "\(same.errors)")
        }
    }

    @Test("The workspace runs, tries and reviews a bundle with its tables")
    func inWorkspace() async throws {
        let rename = Self.script.replacing("event.properties.category =", with: "event.event =")
        let table = "sku=" + (try file("sku.csv", "sku,category\nA-1,Shoes\n"))
        let bundle = try await run("build", try file("p.js", rename), "--table", table).output
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            let client = workspace.client
            let path = "/api/sources/WK/live-plugins"
            let long = bundle.replacing("Shoes", with: String(repeating: "x", count: 300_000))
            let refused = try await client.put(path, long)
            #expect(refused.status == 422 && refused.text.contains("at most 262144"), "\(refused.text)")
            #expect(try await client.put("\(path)?where=workspace", bundle).status == 200)
            let event: JSON = [
                "type": "track", "event": "Viewed", "userId": "u", "messageId": "m-1", "properties": ["sku": "A-1"],
            ]
            try await client.batch([event])
            try await workspace.until { try await client.events().isEmpty ? nil : () }
            #expect(try await client.events().compactMap { $0["name"]?.stringValue } == ["Shoes"])
            let wrong = bundle.replacing("?.category", with: ".missing.category")
            let tried = try await client.send(
                "POST", "\(path)/try", body: Array(wrong.utf8), headers: ["Content-Type": "text/javascript"]
            ).json
            #expect(tried["usable"] == true && tried["failed"] == 1)
            #expect(tried["faults"]?[0]?["text"]?.stringValue?.contains("plugins.js:3") == true, "\(tried)")
        }
    }

    @Test("A configuration in files carries the tables to another workspace")
    func configuration() async throws {
        let script = try file("p.js", Self.script)
        let table = "sku=" + (try file("sku.csv", "sku,category\nA-1,Shoes\n"))
        let config = folder.path + "/config"
        try await withServer { command, url in
            #expect(try await command(["plugin", "deploy", script, "--table", table]).status == 0)
            let exported = try await CommandRun.finish(["config", "export", config, "--server", url])
            #expect(exported.status == 0, "\(exported)")
            let shown = try await command(["plugin", "show"]).output
            #expect(try await command(["plugin", "disable"]).status == 0)
            let applied = try await CommandRun.finish(["config", "apply", config, "--server", url])
            #expect(applied.status == 0, "\(applied)")
            #expect(try await command(["plugin", "show"]).output == shown)
        }
    }
}
