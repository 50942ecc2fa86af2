import Foundation
import Testing
import TributaryJSON

/// What `plugin deploy` says about the bundle that it replaces, and the commands that show deployed versions.
@Suite(.timeLimit(.minutes(30))) struct PluginReplacementTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = folder.path + "/" + name
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private static func plugin(_ name: String, _ body: String = "return event") -> String {
        "class \(name) extends LivePlugin {\n    track(event) { \(body) }\n}\nanalytics.add(new \(name)('before'))\n"
    }

    /// Runs commands with a server.
    private func withServer(
        _ body: (_ command: ([String]) async throws -> CommandRun.Outcome) async throws -> Void
    ) async throws {
        let server = try CommandRun(["serve", "--port", "0", "--data", folder.path + "/data", "--write-key", "WK"])
        let url = try #require(await server.line(after: "tributary: listening on "))
        try await body { try await CommandRun.finish($0 + ["--server", url, "--write-key", "WK"]) }
        server.signal(SIGTERM)
        _ = try await server.finished()
    }

    @Test("A deployment says what goes and what comes, and needs --yes when a plugin goes")
    func replacement() async throws {
        let first = try file("a.js", Self.plugin("FixOrders") + Self.plugin("Rest"))
        let second = try file("b.js", Self.plugin("Enrich") + Self.plugin("Rest"))
        try await withServer { command in
            let new = try await command(["plugin", "deploy", first])
            #expect(new.errors.hasSuffix("adds FixOrders, Rest\n"))
            let same = try await command(["plugin", "deploy", first])
            #expect(same.errors.hasSuffix("the text is the deployed one\n"))
            let refused = try await command(["plugin", "deploy", second])
            #expect(refused.status == 1)
            #expect(refused.errors.contains("removes FixOrders, adds Enrich; 4 lines differ\n"))
            #expect(refused.errors.contains("it would remove FixOrders; nothing was deployed; add --yes to deploy it"))
            let replaced = try await command(["plugin", "deploy", second, "--yes"])
            #expect(replaced.status == 0)
            #expect(replaced.output.hasPrefix("live plugins version 3, "))
            let generator = try file(
                "g.js", Self.plugin("Enrich") + Self.plugin("Rest") + "function processSignal(s) {}\n")
            #expect(
                try await command(["plugin", "deploy", generator]).errors.hasSuffix(
                    "adds processSignal; 1 line differs\n"))
            #expect(
                try await command(["plugin", "deploy", second]).errors.contains("removes processSignal; 1 line differs")
            )

            #expect(
                try await command(["plugin", "show", "1"]).output == Self.plugin("FixOrders") + Self.plugin("Rest"))
            #expect(try await command(["plugin", "show"]).output.contains("processSignal"))
            let difference = try await command(["plugin", "diff", "1", "3"]).output
            #expect(difference.contains("- class FixOrders extends LivePlugin {\n"))
            #expect(difference.contains("+ class Enrich extends LivePlugin {\n"))
            #expect(difference.contains("  class Rest extends LivePlugin {\n"))
            #expect(
                try await command(["plugin", "diff", "1", "2"]).output == "versions 1 and 2 have the same text\n")
            let missing = try await command(["plugin", "diff", "9"])
            #expect(missing.status == 1)
            #expect(missing.errors.contains("has no version 9 of the live plugins; there are 1 to 4"))
        }
    }

    @Test("What cannot do what it says is refused with its place, and deployed with --allow")
    func review() async throws {
        let wrong = try file("p.js", Self.plugin("Fix").replacing("track(", with: "trak("))
        try await withServer { command in
            let refused = try await command(["plugin", "deploy", wrong])
            #expect(refused.status == 1)
            #expect(
                refused.errors.contains("p.js:2: nothing calls Fix.trak; did you mean track?; nothing was deployed"))
            #expect(refused.errors.contains("--allow"))
            #expect(try await command(["plugin", "deploy", wrong, "--allow"]).status == 0)
        }
        #expect(try await CommandRun.finish(["plugin", "check", wrong]).status == 1)
    }

    @Test("The files of a folder are joined, and errors name the file in the folder")
    func folders() async throws {
        _ = try file("plugins/Enrich.js", Self.plugin("Enrich"))
        _ = try file("plugins/Fix.js", "// first\n" + Self.plugin("Fix", "return event.none.x"))
        _ = try file("plugins/types.d.ts", "declare const none: any")
        let path = folder.path + "/plugins"
        let check = try await CommandRun.finish(["plugin", "check", path])
        #expect(check.status == 0, "\(check)")
        #expect(check.output.contains("plugin Enrich"))
        let events = try file("e.ndjson", #"{"type":"track","event":"A","messageId":"m","properties":{}}"#)
        let test = try await CommandRun.finish(["plugin", "test", path, "--events", events])
        #expect(test.output.contains("(Fix.js:3)"), "\(test)")
        try await withServer { command in
            #expect(try await command(["plugin", "deploy", path]).errors.contains("adds Enrich, Fix\n"))
            let text = try await command(["plugin", "show"]).output
            #expect(text.hasPrefix("// Enrich.js\nclass Enrich"))
            #expect(text.contains("; // Fix.js\n// first\n"))
        }
        _ = try file("plugins/Wrong.js", "\n" + Self.plugin("Wrong").replacing("track(", with: "Track("))
        let wrong = try await CommandRun.finish(["plugin", "check", path])
        #expect(wrong.output.contains("Wrong.js:3: nothing calls Wrong.Track"), "\(wrong)")
        _ = try file("plugins/Zero.js", "class {")
        let broken = try await CommandRun.finish(["plugin", "check", path])
        #expect(broken.output.contains("Zero.js:1: "), "\(broken)")
        let empty = try await CommandRun.finish(["plugin", "check", folder.path])
        #expect(empty.errors.contains("has no file that ends with .js"))
        _ = try file("plugins/Zero.js", "let a = 1\n//# sourceMappingURL=data:application/json,{}")
        let mapped = try await CommandRun.finish(["plugin", "check", path])
        #expect(mapped.errors.contains("Zero.js is a generated file with a source map of its own"))
    }

    @Test("`filter show` and `filter diff` show deployed rules")
    func filters() async throws {
        func rules(_ destination: String) -> String {
            #"[{"destinationName":"\#(destination)","matchers":[{"type":"all"}],"transformers":[[{"type":"drop"}]]}]"#
        }
        let first = try file("a.json", rules("Amplitude"))
        let second = try file("b.json", rules("Braze"))
        try await withServer { command in
            #expect(try await command(["filter", "deploy", first]).status == 0)
            #expect(try await command(["filter", "deploy", second]).status == 0)
            #expect(try JSON.parse(try await command(["filter", "show"]).output)[0]?["destinationName"] == "Braze")
            #expect(
                try JSON.parse(try await command(["filter", "show", "1"]).output)[0]?["destinationName"] == "Amplitude")
            let difference = try await command(["filter", "diff", "1"]).output.split(separator: "\n")
            #expect(difference.filter { $0.hasPrefix("-") }.count == 1)
            #expect(difference.filter { $0.hasPrefix("+") }.count == 1)
            #expect(difference.contains { $0.hasPrefix("+") && $0.contains("Braze") })
            #expect(
                try await command(["filter", "diff", "2"]).output
                    == "version 2 and the deployed one have the same rules\n")
            #expect(try await command(["filter", "show", "7"]).errors.contains("has no version 7 of the filters"))
        }
    }
}
