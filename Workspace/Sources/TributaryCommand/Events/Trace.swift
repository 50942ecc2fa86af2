import ArgumentParser
import Foundation
import TributaryJSON
import WorkspaceCore

/// Has the devices of a user send traces, and shows them as they come.
struct Trace: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows what the stages on a user's devices do to each event.",
        discussion: """
            No new release of the app is needed: a device learns of it in the answer to its next events of that user. A \
            trace has the names of plugins, and of the properties that they changed, and no values. The traces are stored \
            beside the events, so the page shows them as well. Control-C ends the command, and devices go on until the time \
            is over or `--stop` ends it.
            """)

    private static let usualSeconds = 900
    private static let longestSeconds = 3600

    @OptionGroup var options: SourceOptions

    @Option(help: "The id of the user.")
    var user: String?

    @Option(help: "The anonymous id of a device, in place of a user.")
    var anonymousId: String?

    @Option(name: .customLong("for"), help: "How long: 90s, 15m, at most 1h; by default 15m.")
    var time: Span?

    @Flag(help: "End tracing now, and show nothing.")
    var stop = false

    @Flag(help: "Write one JSON object on each line.")
    var json = false

    @Option(help: "Stop after this number of traces; devices go on.")
    var count: Int?

    func validate() throws {
        guard (user == nil) != (anonymousId == nil) else {
            throw ValidationError("--user or --anonymous-id says whose events are traced")
        }
        guard (1...Self.longestSeconds).contains(time?.seconds ?? 1) else {
            throw ValidationError("--for is a time from 1s to 1h")
        }
        guard count ?? 1 > 0 else { throw ValidationError("--count is a number above 0") }
        if stop, time != nil || count != nil || json { throw ValidationError("--stop shows nothing") }
    }

    /// The member of events that names their user or device.
    private var subject: (name: String, id: String) {
        user.map { ("userId", $0) } ?? ("anonymousId", anonymousId ?? "")
    }

    func run() async throws {
        let source = try AdministrationClient(options)
        guard !stop else {
            try await source.delete("traces", query: [URLQueryItem(name: subject.name, value: subject.id)])
            return print("devices trace the events of \(subject.id.printable) no more")
        }
        let client = try AdministrationClient(options.server)
        // Before the order, so that no trace is missed.
        let newest = try await client.get("api/events", query: [URLQueryItem(name: "limit", value: "1")])
        let position = try EventPage(newest).events.first?["sequence"]?.intValue ?? 0
        let seconds = time?.seconds ?? Self.usualSeconds
        let order = try await source.send(
            "PUT", "traces", [subject.name: .string(subject.id), "seconds": .number(seconds)])
        let until = try order.text("until")
        Console.error(
            "devices trace the events of \(subject.id.printable) until \(until.printable), from their next events on")
        let follower = TraceFollower(
            client: client, writeKey: options.writeKey, member: subject.name, id: subject.id,
            since: (ISO8601.milliseconds(until) ?? 0) - Int64(seconds) * 1000, json: json, count: count)
        try await follower.follow(after: Int64(position), for: seconds)
    }
}
