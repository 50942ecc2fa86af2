import Foundation
import Testing
import TributaryJSON

/// `tributary signals`, as the author of a generator uses it.
@Suite(.timeLimit(.minutes(30))) struct SignalsCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = folder.path + "/" + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private static let generator = """
        function processSignal(signal) {
            if (signal.data.screen === "Broken") signal.data.no.such
            if (signal.type === SignalType.Navigation) {
                const before = signals.find(signal, SignalType.Interaction)
                analytics.screen("Screen Viewed", null, { screen: signal.data.screen, after: before?.data.title ?? null })
                console.log(signal.timestamp.getTime())
            }
        }
        """
    private static let session = """
        {"anonymousId":"a","type":"interaction","timestamp":"2026-01-02T03:04:05.006Z","index":0,"data":{"component":"button","title":"Go"}}
        {"anonymousId":"a","type":"navigation","timestamp":"2026-01-02T03:04:06.006Z","index":4,"data":{"action":"entering","screen":"Home"}}
        no signal
        {"anonymousId":"a","type":"navigation","timestamp":"2026-01-02T03:04:07.006Z","index":5,"data":{"action":"entering","screen":"Broken"}}

        """

    @Test("`signals replay --json` writes one line for each event of the generator")
    func replayWritesJSON() async throws {
        let outcome = try await CommandRun.finish([
            "signals", "replay", try file("s.ndjson", Self.session), "--generator", try file("g.js", Self.generator),
            "--json",
        ])
        #expect(outcome.status == 1)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 1)
        let line = try JSON.parse(lines.first ?? "")
        #expect(line["signal"]?.intValue == 4)
        #expect(line["event"]?["name"]?.stringValue == "Screen Viewed")
        #expect(line["event"]?["properties"]?.description == #"{"screen":"Home","after":"Go"}"#)
        for text in [
            "line 3 is not JSON: ", "signal 5: ", "TypeError", "log: 1767323046006", "3 signals: 1 events, 1 faults",
        ] {
            #expect(outcome.errors.contains(text), "\(text)")
        }
    }

    @Test("`signals replay` shows the event that a signal makes")
    func replayShowsEvents() async throws {
        let outcome = try await CommandRun.finish([
            "signals", "replay", try file("s.ndjson", Self.session), "--generator", try file("g.js", Self.generator),
        ])
        #expect(outcome.status == 1)
        let withoutFault = try await CommandRun.finish([
            "signals", "replay", try file("s2.ndjson", Self.session.replacing("Broken", with: "Cart")), "--generator",
            try file("g2.js", Self.generator),
        ])
        #expect(withoutFault.status == 0, "\(withoutFault.errors)")
        #expect(outcome.output.contains(#"signal 4, navigation: makes screen "Screen Viewed""#))
        #expect(outcome.output.contains(#"properties: {"screen":"Home","after":"Go"}"#))
    }

    @Test("`signals replay` refuses unusable generators and sessions with the reason")
    func replayRefusesFiles() async throws {
        let session = try file("s.ndjson", Self.session)
        let broken = try await CommandRun.finish([
            "signals", "replay", session, "--generator", try file("g.js", "function {"),
        ])
        #expect(broken.status != 0)
        #expect(broken.errors.contains("SyntaxError"))
        let empty = try await CommandRun.finish([
            "signals", "replay", try file("e.ndjson", "{}\n"), "--generator", try file("g2.js", Self.generator),
        ])
        #expect(empty.status != 0)
        #expect(empty.errors.contains("holds no signal"))
        let none = try await CommandRun.finish([
            "signals", "replay", session, "--generator", try file("g3.js", "function processSignals(signal) {}"),
        ])
        #expect(none.status == 1)
        #expect(none.errors == "Error: \(folder.path)/g3.js has no function processSignal\n")
    }

    @Test(
        "A bundle may consist of a generator alone",
        arguments: ["function processSignal", "const processSignal = function"])
    func checkKnowsGenerators(_ declaration: String) async throws {
        let generator = Self.generator.replacing("function processSignal", with: declaration)
        let outcome = try await CommandRun.finish(["plugin", "check", try file("g.js", generator)])
        #expect(outcome.status == 0)
        #expect(!outcome.output.contains("warning"), "\(outcome.output)")
        #expect(outcome.output.contains("generator processSignal, for signals"))
    }
}
