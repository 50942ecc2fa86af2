import Foundation
import Testing
import TributaryJSON

@testable import TributaryCommand
@testable import WorkspaceCore
@testable import WorkspaceServer

/// Every place where JSON or CSV is read that a person wrote.
@Suite("Places of mistakes in texts", .timeLimit(.minutes(30))) struct PlacesInTextsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let broken = "{\n  \"größe\": [1,\n}"
    private static let place = "(line 3, column 1)"
    private static let brokenLine = #"{"type":"track","event":"größe" "userId":"u"}"#
    private static let lines = "{\"type\":\"track\",\"event\":\"A\",\"userId\":\"u\"}\n\n" + brokenLine + "\n"
    private static let placeInLines = "(line 3, column 33)"

    private func write(_ text: String, to name: String) throws -> String {
        let file = URL(fileURLWithPath: folder.path + "/" + name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    @Test("Every command names line and column of JSON that cannot be read")
    func commands() async throws {
        let wrong = try write(Self.broken, to: "config/workspace.json")
        let lines = try write(Self.lines, to: "lines.ndjson")
        let script = try write("function processSignal(signal) {}", to: "script.js")
        let rules = try write(
            #"[{"destinationName":"Mixer","matchers":[{"type":"all"}],"transformers":[[{"type":"drop"}]]}]"#,
            to: "rules.json")
        let config = URL(fileURLWithPath: wrong).deletingLastPathComponent().path
        let files = [
            ["serve", "--config", wrong], ["cluster", "check", "--config", wrong], ["config", "apply", config],
            ["config", "diff", config], ["plan", "set", wrong, "--write-key", "WK"],
            ["settings", "destination", "set", "Mixer", "--file", wrong, "--write-key", "WK"],
            ["filter", "check", wrong], ["filter", "deploy", wrong, "--write-key", "WK"],
            ["filter", "test", wrong, "--events", lines],
            ["import", lines, "--write-key", "WK", "--mapping", wrong],
        ]
        let events = [
            ["import", lines, "--write-key", "WK"], ["filter", "test", rules, "--events", lines],
            ["plugin", "test", script, "--events", lines], ["signals", "replay", lines, "--generator", script],
        ]
        try await TestWorkspace.run { workspace async throws in
            for (commands, place) in [(files, Self.place), (events, Self.placeInLines)] {
                for arguments in commands {
                    let run = try CommandRun(arguments, environment: ["TRIBUTARY_SERVER": workspace.client.url])
                    let outcome = try await run.finished()
                    #expect((outcome.output + outcome.errors).contains(place), "\(arguments): \(outcome)")
                }
            }
        }
    }

    @Test("Mistakes in a CSV file are named with line and column of the file")
    func csv() async throws {
        let mapping = try write(
            #"{"type":"track","event":"E","userId":"$user","properties":{"items":"$items:json"}}"#, to: "mapping.json")
        let mistakes = [
            "user,items\nJürgen,\"{\"\"a\"\": [1,\n2}\"\n": "(line 3, column 2)",
            "user,items\nJürgen,[1\n": "(line 2, column 10)",
            "user,items\n\"a \"\"b\"\"\",[1 2]\n": "(line 2, column 14)",
            "user,items\nu,1\nv,\"ü\n\nw": "line 3, column 3",
        ]
        try await TestWorkspace.run { workspace async throws in
            for (text, place) in mistakes {
                let file = try write(text, to: "table.csv")
                let outcome = try await CommandRun.finish(
                    ["import", file, "--write-key", "WK", "--mapping", mapping, "--server", workspace.client.url])
                #expect(outcome.errors.contains(place), "\(outcome.errors)")
            }
            let file = folder.path + "/latin.csv"
            try Data(Array("user,items\nü,".utf8) + [0xE9]).write(to: URL(fileURLWithPath: file))
            let outcome = try await CommandRun.finish(
                ["import", file, "--write-key", "WK", "--mapping", mapping, "--server", workspace.client.url])
            #expect(outcome.errors.contains("(line 2, column 3)"), "\(outcome.errors)")
        }
    }

    private struct Address {
        let method: String
        let path: String
    }

    /// Where the HTTP interface takes JSON.
    private func bodies() throws -> [Address] {
        let document = try JSON.parse(EmbeddedFile.named("openapi.json").text)
        var addresses: [Address] = []
        for (path, item) in try #require(document["paths"]?.objectValue) {
            let servers = item["servers"]?.elements?.compactMap { $0["url"]?.stringValue } ?? ["/"]
            // These look at the query first.
            let query = path == "/api/suppressions" ? "?userId=u" : ""
            let filled = path.replacing("{writeKey}", with: "WK").replacing("{name}", with: "hook")
            for (method, operation) in item.objectValue ?? [:]
            where operation["requestBody"]?["content"]?["application/json"] != nil {
                addresses += servers.map {
                    Address(method: method.uppercased(), path: ($0 == "/" ? "" : $0) + filled + query)
                }
            }
        }
        return addresses
    }

    @Test("Every address of the HTTP interface names line and column of a body that is not JSON")
    func requests() async throws {
        let bodies = try bodies()
        #expect(bodies.count > 40)
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            let body = try JSON.parse(
                #"{"kind":"webhook","enabled":true,"settings":{"url":"http://127.0.0.1:1/"}}"#)
            _ = try await workspace.client.put("/api/sources/WK/destinations/hook", body.description)
            for address in bodies {
                let (method, path) = (address.method, address.path)
                let headers = path.hasPrefix("/api/") ? [:] : ["Authorization": "Basic V0s6"]
                let answer = try await workspace.client.send(
                    method, path, body: Array(Self.broken.utf8), headers: headers)
                #expect(answer.status == 400, "\(method) \(path): \(answer.text)")
                #expect(answer.text.contains(Self.place), "\(method) \(path): \(answer.text)")
            }
        }
    }

    @Test("An expression of a rule that is not JSON is named with its place")
    func expression() async throws {
        let rule: JSON = [
            "destinationName": "Mixer", "transformers": [[["type": "drop"]]],
            "matchers": [["type": "fql", "ir": #"["=", "event" 1]"#]],
        ]
        try await TestWorkspace.run { workspace async throws in
            let answer = try await workspace.client.put("/api/sources/WK/filters", JSON.array([rule]).description)
            #expect(answer.text.contains("(line 1, column 15)"), "\(answer.text)")
            let trial = try await workspace.client.post("/api/sources/WK/filters/dry-run", .array([rule]))
            #expect(trial.text.contains("(line 1, column 15)"), "\(trial.text)")
        }
    }

    @Test("What is nested deeply does not shift the place of a mistake behind it")
    func deep() {
        let deep = String(repeating: "[", count: 140) + String(repeating: "]", count: 140)
        let text = Array(#"{"a":\#(deep),"b":}"#.utf8)
        #expect {
            _ = try NestedLine.json(text, depth: 120)
        } throws: {
            ($0 as? JSONError)?.place == TextPlace(line: 1, column: text.count)
        }
    }
}
