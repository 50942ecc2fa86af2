import ArgumentParser
import Foundation
import TributaryJSON
import TributaryPluginTestKit
import TributaryTesting

/// Commands for files of golden sessions.
struct PluginGolden: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "golden",
        abstract:
            "Writes golden sessions, on which a later version of the live plugins is compared with that of today.",
        discussion: """
            A file of golden sessions has events and signals of stored sessions, and the events that come out of them under \
            a version of the live plugins. `tributary plugin test --against` and an app's own tests play it.
            """,
        subcommands: [PluginGoldenMake.self, PluginGoldenAccept.self])
}

/// Writes the newest stored sessions of a source as golden sessions.
struct PluginGoldenMake: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Prints the newest stored sessions of a source as golden sessions.",
        discussion: """
            The results are those of the version that most devices run. Ids, traits, addresses and the properties that the \
            workspace takes for personal are replaced: a person stays the same in the file, and cannot be traced back. Texts \
            that people typed under another name stay, so look through the file before you give it away.
            """)

    @Option(help: "How many sessions, from 1 to 200.")
    var sessions = GoldenSessions.Limits.sessions

    @OptionGroup var options: SourceOptions

    func validate() throws {
        guard (1...GoldenSessions.Limits.sessions).contains(sessions) else {
            throw ValidationError("--sessions is a number from 1 to \(GoldenSessions.Limits.sessions)")
        }
    }

    func run() async throws {
        let client = try AdministrationClient(options)
        let answer = try await client.exchange(
            "GET", "live-plugins/golden", query: [URLQueryItem(name: "sessions", value: "\(sessions)")])
        guard answer.isSuccess else {
            let reason = (try? JSON.parse([UInt8](answer.body)))?["error"]?.stringValue
            throw Failure("the server refused: \(reason ?? "status \(answer.status)")")
        }
        let golden: GoldenSessions
        do {
            golden = try GoldenSessions([UInt8](answer.body))
        } catch {
            throw Failure("the server answered no golden sessions: \(error)")
        }
        if golden.sessions.isEmpty { throw Failure("no event of the source \(options.writeKey) is stored") }
        try FileHandle.standardOutput.write(contentsOf: answer.body)
        let records = golden.sessions.reduce(0) { $0 + $1.records.count }
        Console.error("\(golden.sessions.count.grouped) sessions with \(records.grouped) events and signals")
    }
}

/// Records the results of another bundle in golden sessions.
struct PluginGoldenAccept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Prints golden sessions with the results of another bundle, after its differences were accepted.")

    @Argument(help: "The file of golden sessions.", completion: .file(extensions: ["ndjson"]))
    var file: String

    @Option(help: "The JavaScript file, or a folder of them.", completion: .file(extensions: ["js"]))
    var bundle: String

    @OptionGroup var tables: TableOptions

    func run() throws {
        var golden = try GoldenFile.read(file)
        let source = try BundleFile(bundle, tables: tables).source()
        var replay = GoldenReplay(source: source, name: bundle)
        var faults = 0
        replay.fault = { text in
            faults += 1
            Console.error(OutputStyle.errors.text("error", text.printable))
        }
        do {
            golden.sessions = try golden.sessions.map { try replay.recorded($0) }
        } catch {
            throw Failure("\(error)")
        }
        golden.version = nil
        if faults > 0 { throw Failure("scripts had faults, so nothing was recorded") }
        try FileHandle.standardOutput.write(contentsOf: Data(golden.encoded))
    }
}

/// Reads a file of golden sessions for a command.
enum GoldenFile {
    static func read(_ path: String) throws(Failure) -> GoldenSessions {
        let bytes = [UInt8](try InputFile.read(path))
        do {
            return try GoldenSessions(bytes)
        } catch {
            throw Failure("\(path.printable): \(error.description.printable)")
        }
    }
}
