import ArgumentParser
import Foundation
import TributaryJSON

/// Shows stored events.
struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Shows stored events, newest first.")

    @OptionGroup var filter: EventFilterOptions
    @OptionGroup var range: TimeRangeOptions
    @OptionGroup var options: ServerOptions

    @Option(help: "How many events, at most 1000.")
    var limit = 50

    @Flag(help: "Oldest first.")
    var oldestFirst = false

    @Flag(help: "Write one JSON object a line.")
    var json = false

    func run() async throws {
        let query =
            filter.query + range.query + [
                URLQueryItem(name: "limit", value: "\(limit)"),
                URLQueryItem(name: "order", value: oldestFirst ? "asc" : "desc"),
            ]
        let answer = try await AdministrationClient(options).get("api/events", query: query)
        let line = EventLine(style: .output)
        for event in try EventPage(answer).events { print(json ? event.description : line.text(event)) }
    }
}

/// A page of the server's list.
struct EventPage {
    let events: [JSON]

    init(_ answer: JSON) throws(Failure) {
        guard let events = answer["events"]?.elements else {
            throw Failure("the server's answer is not that of a workspace: \(answer)")
        }
        self.events = events
    }
}
