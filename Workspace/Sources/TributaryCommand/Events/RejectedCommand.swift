import ArgumentParser
import Foundation
import TributaryJSON

/// Shows events that were not stored.
struct RejectedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rejected", abstract: "Shows events that the workspace refused, with the reasons, newest first.")

    @OptionGroup var conditions: ConditionOptions
    @OptionGroup var range: TimeRangeOptions
    @OptionGroup var options: ServerOptions

    @Option(help: "Only events of the source with this write key.")
    var writeKey: String?

    @Option(help: "How many events, at most 1000.")
    var limit = 50

    @Flag(help: "Write one JSON object on each line.")
    var json = false

    func run() async throws {
        var query = range.query + conditions.query + [URLQueryItem(name: "limit", value: "\(limit)")]
        if let writeKey { query.append(URLQueryItem(name: "writeKey", value: writeKey)) }
        query.append(URLQueryItem(name: "order", value: "desc"))
        let answer = try await AdministrationClient(options).get("api/rejected", query: query)
        let entries = try answer.list("rejected")
        if entries.isEmpty, !json { Console.error(try noEvent(answer)) }
        for entry in entries { print(json ? entry.description : Self.text(entry, .output)) }
    }

    private func noEvent(_ answer: JSON) throws(Failure) -> String {
        guard let left = answer["search"]?["left"]?.intValue, left > 0 else {
            return conditions.query.isEmpty ? "no event was rejected" : "no rejected event meets the conditions"
        }
        return
            "no one of the newest rejected events meets the conditions; \(left.grouped) older ones were not looked at "
            + "(--until goes further back)"
    }

    /// The reason, and the beginning of the event on a line of its own.
    private static func text(_ entry: JSON, _ style: OutputStyle) -> String {
        func member(_ name: String) -> String { (entry[name]?.stringValue ?? "").printable }
        let title = [
            style.faint(member("receivedAt")), member("writeKey"), style.bad(member("code")), member("reason"),
        ]
        let event = entry["event"]?.description.prefix(shownCharacters) ?? ""
        return title.filter { !$0.isEmpty }.joined(separator: "  ") + "\n  " + style.faint(String(event).printable)
    }

    /// The most characters of an event that are shown.
    private static let shownCharacters = 200
}
