import ArgumentParser
import Foundation
import ProgramSupport
import TributaryJSON

/// Waits until an event has arrived.
struct WaitForEvent: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait-for-event",
        abstract: "Waits until a matching event is stored, for tests of apps.",
        discussion: """
            Stored events count too, unless --after or --since excludes them. Prints the events that were found, one \
            JSON object on each line. Exits with 3 when they did not come in time.
            """)

    @OptionGroup var filter: EventFilterOptions
    @OptionGroup var range: TimeRangeOptions
    @OptionGroup var conditions: ConditionOptions
    @OptionGroup var options: ServerOptions

    @Option(help: "Only events with a higher sequence.")
    var after: Int64?

    @Option(help: "How many events.")
    var count = 1

    @Option(help: "Seconds to wait, at most 60.")
    var timeout = 10

    func run() async throws {
        var query =
            filter.query + range.query + conditions.query + [
                URLQueryItem(name: "count", value: "\(count)"), URLQueryItem(name: "timeout", value: "\(timeout)"),
            ]
        if let after { query.append(URLQueryItem(name: "after", value: "\(after)")) }
        let client = try AdministrationClient(options)
        do {
            Waiting.show("\(count) matching \(count == 1 ? "event" : "events") are awaited, for at most \(timeout) s")
            let answer = try await client.get("api/wait-for-event", query: query)
            Waiting.finish()
            for event in try EventPage(answer).events {
                print(event.description)
            }
        } catch let refusal as AdministrationClient.NotFound {
            Console.error(refusal.description)
            throw ExitCode(3)
        }
    }
}
