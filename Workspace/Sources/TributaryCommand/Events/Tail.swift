import ArgumentParser
import Foundation
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Shows events as they come.
struct Tail: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the newest events, and then each new one.",
        discussion: """
            When the workspace stops, the command waits for it and goes on at the same place, so no event is left out \
            or shown twice. Control-C ends it.
            """)

    @OptionGroup var filter: EventFilterOptions
    @OptionGroup var conditions: ConditionOptions
    @OptionGroup var options: ServerOptions

    @Option(help: "How many of the stored events to show first, at most 1000.")
    var last = 10

    @Flag(help: "Write one JSON object on each line.")
    var json = false

    @Option(help: "Stop after this number of new events.")
    var count: Int?

    func validate() throws {
        guard (0...1000).contains(last) else { throw ValidationError("--last is a number from 0 to 1000") }
        guard count ?? 1 > 0 else { throw ValidationError("--count is a number above 0") }
    }

    func run() async throws {
        let client = try AdministrationClient(options)
        let wanted = try conditions.read()
        let line = EventLine(style: .output)
        var shown = 0
        try await client.follow(after: try await showLast(client)) { message in
            guard message.event == "event", let event = read(message), filter.matches(event),
                wanted.hold(event["event"] ?? .null)
            else { return true }
            show(event, line)
            shown += 1
            return shown != count
        }
    }

    private func read(_ message: EventStream.Message) -> JSON? {
        do {
            return try JSON.parse(message.data)
        } catch {
            Console.error("the event \(message.id ?? 0) cannot be shown: \(error)")
            return nil
        }
    }

    /// Shows the newest stored events and returns the place at which the stream has to begin.
    private func showLast(_ client: AdministrationClient) async throws -> Int64 {
        // The newest event of all: the newest of the filter may be old, and the events after it would be shown twice.
        let newest = try EventPage(try await client.get("api/events", query: [URLQueryItem(name: "limit", value: "1")]))
        let position = newest.events.first?["sequence"]?.intValue ?? 0
        // This request is made also for no events: the server refuses an unknown source here, and the stream does not.
        let query =
            filter.query + conditions.query + [
                URLQueryItem(name: "limit", value: "\(max(last, 1))"),
                URLQueryItem(name: "before", value: "\(position + 1)"),
            ]
        let line = EventLine(style: .output)
        let events = try EventPage(try await client.get("api/events", query: query)).events
        for event in events.prefix(last).reversed() { show(event, line) }
        return Int64(position)
    }

    /// A reader of a pipe wants each line at once.
    private func show(_ event: JSON, _ line: EventLine) {
        print(json ? event.description : line.text(event))
        fflush(nil)
    }
}
