import ArgumentParser
import Foundation
import TributaryJSON

/// Shows who changed what.
struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the changes to a workspace, newest first.",
        discussion: """
            Examples:
              tributary audit --action "token made" --since 2026-11-01
              tributary audit --token Ana --find "filters WK"
            """)

    @OptionGroup var options: ServerOptions

    @Option(help: "Only changes of the source with this write key.")
    var writeKey: String?

    @Option(help: "Only changes that came this way: server, token, login or rollout.")
    var by: String?

    @Option(help: "Only changes with the token of this name, or with logins that were made with it.")
    var token: String?

    @Option(help: "Only changes of this kind, as the list names it: 'token made'.")
    var action: String?

    @Option(help: "Only entries that have all of these words, in any case.")
    var find: String?

    @Option(help: "Only changes at that time or later: 2026-11-21T01:00:00Z, or a day.")
    var since: String?

    @Option(help: "Only changes before that time.")
    var until: String?

    @Option(help: "Only entries older than the one with this number, which --json shows.")
    var before: Int?

    @Option(help: "How many entries, at most 1000.")
    var limit = 50

    @Flag(help: "Write one JSON object on each line.")
    var json = false

    func run() async throws {
        let client = try AdministrationClient(options)
        let values: [(String, String?)] = [
            ("writeKey", writeKey), ("by", by), ("token", token), ("action", action), ("find", find), ("since", since),
            ("until", until),
        ]
        let query = values.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        var (left, next) = (limit, before)
        // A page of a search may have few entries before the end of the log.
        repeat {
            let place = next.map { [URLQueryItem(name: "before", value: "\($0)")] } ?? []
            let most = URLQueryItem(name: "limit", value: "\(left)")
            let answer = try await client.get("api/audit", query: query + [most] + place)
            let entries = try answer.list("entries")
            for entry in entries { print(json ? entry.description : Self.line(entry)) }
            left -= entries.count
            next = answer["next"]?.intValue
        } while left > 0 && next != nil
    }

    private static func line(_ entry: JSON) -> String {
        func text(_ name: String) -> String { entry[name]?.stringValue ?? "" }
        let details = entry["details"]?.objectValue ?? [:]
        let more = details.map { "\($0.key) \($0.value.stringValue ?? $0.value.description)" }.joined(separator: ", ")
        let author = entry["token"]?.stringValue.map { "\($0.printable) (\(text("by")))" } ?? text("by")
        let title = [text("at"), author, text("writeKey"), text("action")].filter { !$0.isEmpty }
        return title.joined(separator: "  ") + (more.isEmpty ? "" : ": \(more)")
    }
}
