import Foundation
import Testing
import TributaryJSON
import TributaryTesting

@testable import TributaryCommand

/// `tributary plugin golden`, `test --against` and `deploy --reason`, as an operator uses them.
@Suite("Commands with golden sessions", .timeLimit(.minutes(30))) struct PluginGoldenCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = folder.path + "/" + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private static func plugin(_ track: String) -> String {
        """
        class Trial extends LivePlugin {
          constructor() { super(LivePluginType.enrichment, null); }
          track(event) { \(track) }
        }
        analytics.add(new Trial());

        """
    }

    private func run(_ arguments: String...) async throws -> CommandRun.Outcome {
        try await CommandRun.finish(["plugin"] + arguments)
    }

    private static let golden = """
        {"tributaryGolden":1,"version":1,"plan":[{"type":"track","name":"Paid"}]}
        {"session":"1","event":{"type":"track","event":"Paid","messageId":"m-1","properties":{"total":42}}}
        {"session":"1","event":{"type":"track","event":"Debug","messageId":"m-2","properties":{}}}

        """

    @Test(
        "`test --against` shows a review; its status says whether a rule is broken or, with --exact, anything differs")
    func against() async throws {
        let golden = try file("golden.ndjson", Self.golden)
        let same = try file("same.js", Self.plugin("return event;"))
        let unchanged = try await run("test", same, "--against", golden, "--exact")
        #expect(unchanged.status == 0, "\(unchanged)")
        #expect(
            unchanged.output
                == "1 sessions with 2 events and signals: 0 changed, 0 dropped, 0 made, 2 as before\n")

        let other = try file(
            "other.js",
            Self.plugin("if (event.event == 'Debug') return null; event.properties.total += ''; return event;"))
        let differs = try await run("test", other, "--against", golden)
        #expect(differs.status == 0, "\(differs)")
        #expect(differs.output.contains("track Debug: 1 dropped\n"), "\(differs.output)")
        #expect(differs.output.contains("track Paid: 1 changed\n  properties.total: 1 events, such as 42 → \"42\"\n"))
        #expect(try await run("test", other, "--against", golden, "--exact").status == 1)

        let dropping = try file("dropping.js", Self.plugin("return null;"))
        let broken = try await run("test", dropping, "--against", golden)
        #expect(broken.status == 1)
        #expect(broken.output.contains("rule broken: track \"Paid\" is in the tracking plan"), "\(broken.output)")
        let json = try JSON.parse(try await run("test", dropping, "--against", golden, "--json").output)
        #expect(json["broken"]?[0]?["missing"] == 1)
    }

    @Test("A fault of a script fails the test, and so does a file without sessions or with a fault")
    func faults() async throws {
        let golden = try file("golden.ndjson", Self.golden)
        let throwing = try file("throwing.js", Self.plugin("throw new Error('no price');"))
        let faulty = try await run("test", throwing, "--against", golden)
        #expect(faulty.status == 1)
        #expect(faulty.errors.contains("2 times: Trial: Error: no price"), "\(faulty.errors)")
        let empty = try file("empty.ndjson", "{\"tributaryGolden\":1}\n")
        #expect(try await run("test", throwing, "--against", empty).errors.contains("holds no session"))
        let damaged = try file("damaged.ndjson", Self.golden + "{\"session\":\"1\"}\n")
        let refused = try await run("test", throwing, "--against", damaged)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("damaged.ndjson: line 4: a line has an event or a signal"), "\(refused.errors)")
        for wrong in [
            ["test", throwing], ["test", throwing, "--events", golden, "--exact"],
            ["test", throwing, "--events", golden, "--against", golden],
        ] {
            #expect(try await CommandRun.finish(["plugin"] + wrong).status == 64)
        }
    }

    @Test("`golden accept` records the results of another bundle, which then differs no more")
    func accept() async throws {
        let golden = try file("golden.ndjson", Self.golden)
        let dropping = try file("dropping.js", Self.plugin("return event.event == 'Debug' ? null : event;"))
        let accepted = try await run("golden", "accept", golden, "--bundle", dropping)
        #expect(accepted.status == 0, "\(accepted.errors)")
        let again = try await run(
            "test", dropping, "--against", try file("accepted.ndjson", accepted.output), "--exact")
        #expect(again.status == 0, "\(again)")
        let throwing = try file("throwing.js", Self.plugin("throw new Error('no price');"))
        let refused = try await run("golden", "accept", golden, "--bundle", throwing)
        #expect(refused.status == 1)
        #expect(refused.output.isEmpty)
    }

    @Test("`golden make` prints stored sessions, and `deploy` asks for a reason when one of them breaks a rule")
    func server() async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            func run(_ arguments: String...) async throws -> CommandRun.Outcome {
                try await CommandRun.finish(
                    ["plugin"] + arguments + ["--server", workspace.client.url, "--write-key", "WK"])
            }
            let none = try await run("golden", "make")
            #expect(none.status == 1)
            #expect(none.errors.contains("no event of the source WK is stored"), "\(none.errors)")
            _ = try await workspace.client.put(
                "/api/sources/WK/plan", #"{"events":[{"type":"track","name":"Paid"}]}"#)
            try await workspace.client.batch(
                ["Paid", "Seen"].enumerated().map { Events.track(messageId: "m-\($0)", name: $1) })
            let made = try await run("golden", "make", "--sessions", "3")
            #expect(made.errors == "1 sessions with 2 events and signals\n")
            #expect(try GoldenSessions(Array(made.output.utf8)).sessions.first?.records.count == 2)
            #expect(try await run("golden", "make", "--sessions", "201").status == 64)

            let dropping = try file("dropping.js", Self.plugin("return event.event == 'Paid' ? null : event;"))
            let refused = try await run("deploy", dropping)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("track Paid: 1 dropped\n"), "\(refused.errors)")
            #expect(refused.errors.contains("nothing was deployed; --reason"))
            #expect(try await run("deploy", dropping, "--reason", " ").status == 64)
            let deployed = try await run("deploy", dropping, "--reason", "Paid is sent by the server now")
            #expect(deployed.status == 0, "\(deployed.errors)")
            let audit = try await workspace.client.get("/api/audit").json["entries"]?[0]
            #expect(audit?["details"]?["reason"] == "Paid is sent by the server now")
        }
    }
}
