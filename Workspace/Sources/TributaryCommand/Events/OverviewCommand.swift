import ArgumentParser
import Foundation
import TributaryJSON

/// Shows the last 24 hours in half hours.
struct OverviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overview",
        abstract: "Shows the last 24 hours of each source in half hours, and when the disk is full.",
        discussion: """
            Each sign is half an hour, the oldest first: a dot for none, and a bar that is as high as the count. Lag is the \
            longest time that an event waited for a destination.
            """)

    @OptionGroup var options: ServerOptions

    @Option(help: "Only the source with this write key.")
    var writeKey: String?

    @Flag(help: "Write the counts as JSON.")
    var json = false

    func run() async throws {
        let query = writeKey.map { [URLQueryItem(name: "writeKey", value: $0)] } ?? []
        let overview = try await AdministrationClient(options).get("api/overview", query: query)
        if json { return print(overview.description) }
        for source in try overview.list("sources") {
            print(OutputStyle.output.bold(try source.text("writeKey").printable))
            for kind in ["accepted", "rejected", "dropped"] { print(try Self.line(kind, source, kind)) }
            for destination in try source.list("destinations") {
                let name = try destination.text("name").printable
                for kind in ["delivered", "refused", "lag"] {
                    print(try Self.line("\(name): \(kind)", destination, kind))
                }
            }
        }
        if let line = Self.disk(overview["disk"] ?? .null) { print(line) }
    }

    /// The width of the names, in characters.
    private static let width = 26
    private static let signs = Array("·▁▂▃▄▅▆▇█")

    private static func line(_ name: String, _ counts: JSON, _ kind: String) throws(Failure) -> String {
        let values = try counts.list(kind).map { $0.intValue ?? 0 }
        let most = values.max() ?? 0
        let bars = values.map { value in
            value == 0 ? signs[0] : signs[1 + (value * (signs.count - 2)) / max(1, most)]
        }
        let total = kind == "lag" ? "at most \(most / 1_000) s" : values.reduce(0, +).grouped
        let padded = name + String(repeating: " ", count: max(1, width - name.count))
        return "  \(padded)\(String(bars))  \(total)"
    }

    private static func disk(_ disk: JSON) -> String? {
        guard let perDay = disk["bytesPerDay"]?.intValue else { return nil }
        let words = "a day of events takes \((perDay / 1_000_000).grouped) MB"
        return disk["fullOn"]?.stringValue.map { "\(words); the disk is full on \($0)" } ?? words
    }
}
