import ArgumentParser
import Foundation
import TributaryJSON

/// Takes events over from JSON Schema.
struct PlanImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Plans the events that a JSON Schema describes.",
        discussion: """
            A schema describes one event: its title is the name. A file has one schema, a list of them, "$defs" by name, or \
            "events" with a name and "rules" each. Planned events of other names stay. The output says what the plan does \
            not check, such as ranges and patterns; --dry-run only says what would change.
            """)

    @Argument(help: "A file with JSON Schema.", completion: .file(extensions: ["json"]))
    var file: String

    @Flag(help: "Changes nothing.")
    var dryRun = false

    @OptionGroup var options: SourceOptions

    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
        let schema = try InputFile.json(file)
        let client = try AdministrationClient(options)
        let trial = try await client.send(
            "POST", "plan/import", query: [URLQueryItem(name: "dryRun", value: "true")], schema)
        for line in try Self.lines(trial) { print(line) }
        guard !dryRun else { return }
        try confirmation.confirm(
            IrreversibleStep(
                losses: PlanLosses.lines(from: try await client.get("plan"), to: trial["plan"] ?? .null),
                question: "Change the plan?", otherwise: "the plan is as it was"))
        let answer = try await client.send("POST", "plan/import", schema)
        let events = (answer["plan"]?["events"]?.elements ?? []).count
        print("\(events) \(events == 1 ? "event is" : "events are") planned")
    }

    private static func lines(_ answer: JSON) throws(Failure) -> [String] {
        var lines: [String] = []
        for event in try answer.list("added") { lines.append("adds \(title(event))") }
        for change in try answer.list("changed") {
            lines.append("changes \(title(change["after"] ?? .null))")
            for line in OutputStyle.output.difference(change["before"] ?? .null, change["after"] ?? .null) {
                lines.append("  \(line)")
            }
        }
        let unchanged = try answer.number("unchanged")
        if unchanged > 0 { lines.append("\(unchanged.grouped) planned as described already") }
        for place in try answer.list("ignored") { lines.append("not checked: \(place.stringValue?.printable ?? "")") }
        let more = try answer.number("ignoredMore")
        if more > 0 { lines.append("not checked: \(more.grouped) more places") }
        return lines
    }

    private static func title(_ event: JSON) -> String {
        ["type", "name"].compactMap { event[$0]?.stringValue?.printable }.joined(separator: " ")
    }
}
