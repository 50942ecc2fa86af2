import ArgumentParser
import Foundation
import TributaryJSON

/// Shows what devices report about live plugins or filters.
struct HealthCommand<Kind: Deployed>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "health",
            abstract: "Shows what the \(Kind.title) of a source do on devices.",
            discussion: """
                The figures come from health reports, so they are some minutes old. The workspace cannot check them: \
                anyone who has the write key can send invented reports.
                """)
    }

    @OptionGroup var options: SourceOptions

    @Option(help: "How many hours are added up, up to 720; by default 24.")
    var hours = 24

    @Flag(help: "Show the table again whenever it changes, until Ctrl-C.")
    var watch = false

    @Flag(help: "Write the answer as JSON.")
    var json = false

    func validate() throws {
        if watch, json { throw ValidationError("--watch shows tables; leave out --json") }
    }

    func run() async throws {
        let client = try AdministrationClient(options.server)
        var shown = ""
        repeat {
            let answer = try await client.get(
                "api/live-plugins/health",
                query: [
                    URLQueryItem(name: "writeKey", value: options.writeKey),
                    URLQueryItem(name: "hours", value: "\(hours)"),
                ])
            if json { return print(answer.description) }
            let text = try HealthTable(answer, of: Kind.self).text
            if text != shown { print(shown.isEmpty ? text : "\n\(text)") }
            shown = text
        } while try await pause()
    }

    private func pause() async throws -> Bool {
        guard watch else { return false }
        try await Task.sleep(for: .seconds(5))
        return true
    }
}
