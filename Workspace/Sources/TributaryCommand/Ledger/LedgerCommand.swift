import ArgumentParser
import Foundation
import TributaryJSON

/// Shows where the events of a source ended.
struct LedgerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger", abstract: "Shows where the events of a source ended, by version of its app.",
        discussion: """
            The figures are those of health reports, by the day of their arrival in UTC: the last 30 days unless --since says \
            otherwise. The server compares them with the stored events, which it reads one by one. Events of devices that have \
            not reported are not yet heard of. The workspace cannot check reports: anyone who has the write key can send \
            invented ones.

            Examples:
              tributary ledger --write-key KEY
              tributary ledger --write-key KEY --since 2026-11-21 --json
              tributary ledger --write-key KEY --reports-only
            """)

    @Option(help: "From the day of this time on: 2026-11-21T01:00:00Z, or a day.")
    var since: String?

    @Option(help: "Only days that begin before this time.")
    var until: String?

    @Flag(help: "Do not count stored events: faster, and nothing is said about events that were not heard of.")
    var reportsOnly = false

    @Flag(help: "Write the answer as JSON.")
    var json = false

    @OptionGroup var options: SourceOptions

    func run() async throws {
        let values: [(String, String?)] = [
            ("writeKey", options.writeKey), ("since", since), ("until", until), ("stored", reportsOnly ? "false" : nil),
        ]
        let query = values.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        let answer = try await AdministrationClient(options.server).get("api/ledger", query: query)
        print(json ? answer.description : try LedgerText(answer).text)
    }
}
