import ArgumentParser
import Foundation
import TributaryJSON
import TributaryPluginTestKit

/// Plays a recorded session of signals into a generator script.
struct SignalsReplay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Shows which events a generator script makes of a recorded session of signals.",
        discussion: """
            The signals are JSON objects, one a line, plain or gzip, as SessionRecorder writes them. Each goes through the \
            script's processSignal, in the order of the file.

            The exit code is 1 when the script has a fault.

            With --json, each event gives one line, {"signal": index, "event": {...}}, and everything else goes to the \
            standard error output.
            """)

    @Argument(help: "The file of signals.", completion: .file(extensions: ["json", "ndjson", "jsonl", "gz"]))
    var session: String

    @Option(help: "The JavaScript file with processSignal, or a folder of them.", completion: .file(extensions: ["js"]))
    var generator: String

    @Flag(help: "Write one line of JSON for each event.")
    var json = false

    func run() throws {
        let source = try BundleFile(generator).source()
        let report = ReplayReport(writesJSON: json)
        let testRun: SignalTestRun
        do {
            testRun = try SignalTestRun(source: source, name: generator, console: report.console)
        } catch {
            throw Failure("\(error)")
        }
        guard testRun.hasGenerator else { throw Failure("\(generator) has no function processSignal") }
        var lines = try EventLines(session)
        defer { lines.close() }
        while !testRun.isOver, let line = try lines.next() { report.take(line, testRun) }
        report.finish()
        if testRun.isOver { throw Failure("the generators were stopped because they use too much memory") }
        if report.signals == 0 { throw Failure("\(session) holds no signal") }
        if report.faults > 0 { throw ExitCode(1) }
    }
}
