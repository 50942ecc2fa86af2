import Foundation
import Testing

/// Live plugins as data, from a file to a bundle.
@Suite(.timeLimit(.minutes(30))) struct PluginDataTests {
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
        class Rename extends LivePlugin {
            track(event) {
                event.event = "app_" + event.event
                return event
            }
        }
        analytics.add(new Rename(LivePluginType.enrichment, null))

        """

    @Test("`build --data` puts the data into the first line, and the other commands take the result")
    func built() async throws {
        let built = try await run("build", try file("p.js", Self.script), "--data")
        #expect(built.status == 0, "\(built)")
        #expect(built.output.hasPrefix("/*tributary data {") && built.output.hasSuffix("*/\n" + Self.script))
        let bundle = try file("bundle.js", built.output)
        #expect(try await run("build", bundle, "--data").output == built.output)
        let checked = try await run("check", bundle)
        #expect(checked.status == 0 && checked.output.contains("data   Rename becomes data\n"), "\(checked)")
        let events = try file("e.ndjson", #"{"type":"track","event":"A","messageId":"m-1"}"# + "\n")
        #expect(try await run("test", bundle, "--events", events).output.contains("app_A"))
    }

    @Test("What does not become data has its place and its reason")
    func refused() async throws {
        let script = try file("p.js", Self.script.replacing("\"app_\"", with: "Date.now()"))
        let built = try await run("build", script, "--data")
        #expect(built.status != 0)
        #expect(built.errors.contains("p.js:3: a date"), "\(built)")
        let checked = try await run("check", script)
        #expect(checked.status == 0)
        #expect(
            checked.output.contains("data   Rename stays a script: ") && checked.output.contains("p.js:3:23: a date"))
    }

    @Test("A file with data that is not that of its script is refused")
    func unfaithful() async throws {
        let built = try await run("build", try file("p.js", Self.script), "--data")
        let bundle = try file("b.js", built.output.replacing("event.event = \"app_\" + event.event\n", with: "\n"))
        let checked = try await run("check", bundle)
        #expect(checked.status != 0)
        #expect(checked.errors.contains("is not what its script becomes"), "\(checked)")
    }
}
