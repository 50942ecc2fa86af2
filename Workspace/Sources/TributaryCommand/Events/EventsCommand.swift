import ArgumentParser
import Foundation
import ProgramSupport
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Shows stored events.
struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Shows stored events, newest first.")

    @OptionGroup var filter: EventFilterOptions
    @OptionGroup var range: TimeRangeOptions
    @OptionGroup var conditions: ConditionOptions
    @OptionGroup var options: ServerOptions

    @Option(help: "How many events, at most 1000.")
    var limit = 50

    @Flag(help: "Oldest first.")
    var oldestFirst = false

    @Flag(help: "Write one JSON object on each line.")
    var json = false

    func run() async throws {
        let client = try AdministrationClient(options)
        let line = EventLine(style: .output)
        var (left, position, search) = (limit, [URLQueryItem](), SearchProgress())
        let paths = try conditions.read().paths
        defer { Waiting.finish() }
        // With conditions a page may end before it is full.
        repeat {
            let page = try EventPage(try await client.get("api/events", query: query(left) + position))
            if !page.events.isEmpty { Waiting.clear() }
            for event in page.events { print(json ? event.description : line.text(event)) }
            left -= page.events.count
            guard let next = page.next else { break }
            if let rest = page.left { search.show(left: rest) }
            position = [URLQueryItem(name: oldestFirst ? "after" : "before", value: "\(next)")]
        } while left > 0
        guard left == limit else { return }
        Waiting.finish()
        try await PathAdvice(client: client, query: filter.query + range.query).explain(paths)
    }

    private func query(_ limit: Int) -> [URLQueryItem] {
        filter.query + range.query + conditions.query + [
            URLQueryItem(name: "limit", value: "\(limit)"),
            URLQueryItem(name: "order", value: oldestFirst ? "asc" : "desc"),
        ]
    }
}
