import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// `tributary import`, with the real executable.
@Suite("Importing", .timeLimit(.minutes(30))) struct ImportCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, to name: String) throws -> String {
        let path = folder.path + "/" + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func run(_ workspace: TestWorkspace, _ arguments: String...) async throws -> CommandRun.Outcome {
        try await CommandRun.finish(["import"] + arguments + ["--write-key", "WK", "--server", workspace.client.url])
    }

    private static let lines = """
        {"type":"track","event":"A","userId":"u","messageId":"m-1"}
        {"type":"track","event":"A","userId":"u","messageId":"m-2"}
        {"type":"track","event":"A","userId":"u","messageId":"m-1"}
        {"type":"track","event":"A"}
        no JSON
        {"type":"dance","userId":"u"}

        {"type":"screen","userId":"u","name":"Home"}
        {"type":"track","event":"Segment Signal Generated","userId":"u","messageId":"s-1","properties":{"type":"navigation"}}
        [1]
        """

    @Test("An import counts stored, repeated and rejected events, with the rejected lines")
    func outcome() async throws {
        let file = try write(Self.lines, to: "old.ndjson")
        try await TestWorkspace.run { workspace async throws in
            let first = try await run(workspace, file, "--batch", "2")
            #expect(first.status == 0)
            #expect(first.output == "4 events stored, 1 repeated, 4 rejected\n")
            for text in [
                "old.ndjson:4: an event needs a userId or an anonymousId; it is left out",
                "old.ndjson:5: it is not JSON: unknown literal (line 5, column 1)",
                "old.ndjson:6: the type is \"dance\"",
                "old.ndjson:10: it is no JSON object",
            ] { #expect(first.errors.contains(text), "\(first.errors)") }
            #expect(try await workspace.client.events().count == 3)
            let again = try await run(workspace, file)
            #expect(again.status == 0)
            #expect(again.output == "0 events stored, 5 repeated, 4 rejected\n")
        }
    }

    @Test("An import counts all bad lines and names the first bad lines")
    func manyRejected() async throws {
        let lines = Array(repeating: #"{"type":"track","event":"A"}"#, count: 20) + [#"{"type":"screen","userId":"u"}"#]
        let file = try write(lines.joined(separator: "\n"), to: "bad.ndjson")
        try await TestWorkspace.run { workspace async throws in
            let outcome = try await run(workspace, file)
            #expect(outcome.output == "1 event stored, 0 repeated, 20 rejected\n")
            #expect(outcome.errors.split(separator: "\n").count == 6)
            #expect(outcome.errors.hasSuffix("and 15 more that are left out\n"))
        }
    }

    @Test("A file without an event that can be stored is an error", arguments: ["", "no JSON\n", #"{"type":"track"}"#])
    func nothing(text: String) async throws {
        let file = try write(text, to: "none.ndjson")
        try await TestWorkspace.run { workspace async throws in
            let outcome = try await run(workspace, file)
            #expect(outcome.status == 1)
            #expect(outcome.errors.hasSuffix("Error: \(file) holds no event that could be stored\n"))
        }
    }

    @Test("A file that may never end needs a name, and its longest line has a limit")
    func endless() async throws {
        let unnamed = try await CommandRun.finish(["import", "/dev/zero", "--write-key", "WK"])
        #expect(unnamed.errors == "Error: /dev/zero is a device or a pipe; name what comes from it with --id\n")
        let named = try await CommandRun.finish(["import", "/dev/zero", "--write-key", "WK", "--id", "zeros"])
        #expect(named.status != 0 && named.errors.contains("line 1 is longer than"), "\(named.errors)")
    }

    @Test("Imported events do not get the address of the importing machine", arguments: ["keep", "truncate"])
    func address(policy: String) async throws {
        let file = try write(
            """
            {"type":"screen","userId":"u","messageId":"m-1"}
            {"type":"screen","userId":"u","messageId":"m-2","context":{"ip":"203.0.113.0"}}
            """, to: "old.ndjson")
        try await TestWorkspace.run { workspace async throws in
            #expect(try await workspace.client.put("/api/sources/WK/policy", #"{"ip":"\#(policy)"}"#).status == 200)
            #expect(try await run(workspace, file).status == 0)
            try await workspace.client.batch([Events.track(messageId: "m-3")])
            let ips = try await workspace.client.events().map { $0["event"]?["context"]?["ip"]?.stringValue }
            #expect(ips == [nil, "203.0.113.0", policy == "keep" ? "127.0.0.1" : "127.0.0.0"])
        }
    }

    @Test("Dates of a CSV file are read in usual forms, and other dates are refused with line and column")
    func times() async throws {
        let forms = [
            "2026-11-20", "2026-11-20 10:00", "2026-11-20T10:00:00", "2026-11-20T10:00:00+02:00", "1763632800",
            "1763632800000", "20/11/2026", "yesterday", "",
        ]
        let rows = forms.enumerated().map { "u-\($0),\($1)" }
        let file = try write("user,at\n" + rows.joined(separator: "\n") + "\n", to: "old.csv")
        let mapping = try write(
            #"{"type":"track","event":"E","userId":"$user","timestamp":"$at","properties":{"at":"$at:time"}}"#,
            to: "mapping.json")
        try await TestWorkspace.run { workspace async throws in
            let outcome = try await run(workspace, file, "--mapping", mapping)
            #expect(outcome.output == "7 events stored, 0 repeated, 2 rejected\n", "\(outcome.errors)")
            #expect(outcome.errors.contains("old.csv:8: at is 20/11/2026, which is no time of a known form"))
            #expect(outcome.errors.contains("old.csv:9: at is yesterday, which is no time of a known form"))
            let events = try await workspace.client.events()
            let read = [
                "2026-11-20T00:00:00.000Z", "2026-11-20T10:00:00.000Z", "2026-11-20T10:00:00.000Z",
                "2026-11-20T08:00:00.000Z", "2025-11-20T10:00:00.000Z", "2025-11-20T10:00:00.000Z",
            ]
            #expect(events.prefix(6).map { $0["timestamp"]?.stringValue } == read)
            #expect(events.prefix(6).map { $0["event"]?["properties"]?["at"]?.stringValue } == read)
            let wrong = try write(#"{"type":"screen","userId":"u","timestamp":"soon"}"#, to: "wrong.json")
            let refused = try await run(workspace, file, "--mapping", wrong)
            #expect(
                refused.errors == "Error: the timestamp of the mapping is soon, which is neither a column nor a time\n")
        }
    }
}
