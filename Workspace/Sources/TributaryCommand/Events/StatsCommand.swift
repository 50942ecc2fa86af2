import ArgumentParser
import Foundation
import TributaryJSON

/// Shows the figures of a workspace.
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Shows how many events are stored, rejected and dropped, and how long they took.")

    @OptionGroup var options: ServerOptions

    @Option(help: "Only the source with this write key.")
    var writeKey: String?

    @Flag(help: "Write the figures as JSON.")
    var json = false

    func run() async throws {
        let query = writeKey.map { [URLQueryItem(name: "writeKey", value: $0)] } ?? []
        let stats = try await AdministrationClient(options).get("api/stats", query: query)
        if json { return print(stats.description) }
        for (name, value) in Self.lines(stats) {
            print(name.padding(toLength: Self.width, withPad: " ", startingAt: 0) + value)
        }
    }

    /// The width of the names, in characters.
    private static let width = 22

    private static func lines(_ stats: JSON) -> [(String, String)] {
        func count(_ name: String) -> String { (stats[name]?.intValue ?? 0).grouped }
        let types = (stats["byType"]?.objectValue ?? [:])
            .compactMap { type, number in number.intValue.map { (type, $0) } }
            .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
            .map { ("  \($0.0.printable)", $0.1.grouped) }
        let latency = stats["latency"] ?? [:]
        let times = [latency["medianMs"], latency["p99Ms"]].compactMap { $0?.intValue }
        let delay = times.count == 2 ? "\(times[0].grouped) ms / \(times[1].grouped) ms" : "not known"
        return [("stored", count("stored"))] + types + [
            ("duplicates", count("duplicates")), ("rejected", count("rejected")),
            ("dropped on devices", count("tracedDrops")), ("latency median / p99", delay),
        ]
    }
}
