import ArgumentParser
import Foundation
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Counts events by the values of a property.
struct BreakdownCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "breakdown", abstract: "Counts events and users by the values of a property.",
        discussion: """
            The server reads the events one by one, newest first, and shows its progress; Ctrl-C ends it. Days are \
            whole days in UTC, by the time of arrival; the last 30 unless --since says otherwise.
            """)

    @Option(
        help:
            "The path of the property, as in --where: properties.plan, context.os.name. Without it, all events are counted together."
    )
    var property: String?

    @Option(help: "Only events of this type: track, identify, page, screen, group or alias.")
    var type: String?

    @Option(help: "Only events of this name.")
    var name: String?

    @Option(help: "How many values are listed, up to 200.")
    var limit = 20

    @Flag(help: "Compare with as many days before.")
    var before = false

    @Flag(help: "Write the result as JSON.")
    var json = false

    @OptionGroup var conditions: ConditionOptions
    @OptionGroup var range: TimeRangeOptions
    @OptionGroup var options: SourceOptions

    func run() async throws {
        let values: [(String, String?)] = [
            ("writeKey", options.writeKey), ("property", property), ("type", type), ("name", name),
            ("limit", "\(limit)"), ("compare", before ? "true" : nil),
        ]
        let query = values.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        let result = try await AdministrationClient(options.server).searched(
            "api/breakdown", query: query + conditions.query + range.query)
        if json { print(result.description) } else { for line in try lines(result) { print(line) } }
        try await explain(result)
    }

    /// Says why nothing was counted, or everything without the property.
    private func explain(_ result: JSON) async throws {
        var paths = try conditions.read().paths
        if let property { paths += try EventConditions([property]).paths }
        let total = try JSON.object(try result.object("total")).number("count")
        let absent = try JSON.object(try result.object("absent")).number("count")
        guard total == (property == nil ? 0 : absent) else { return }
        let names = [("writeKey", options.writeKey), ("type", type), ("name", name)]
        let query = names.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        try await PathAdvice(client: try AdministrationClient(options.server), query: query + range.query).explain(
            paths)
    }

    private func lines(_ result: JSON) throws(Failure) -> [String] {
        let total = JSON.object(try result.object("total"))
        var rows = [try row("all events", total)]
        if property != nil {
            for value in try result.list("values") { rows.append(try row(Self.text(value["value"] ?? .null), value)) }
            for (member, label) in [("others", "(other values)"), ("absent", "(without it)")] {
                let tally = JSON.object(try result.object(member))
                if try tally.number("count") + tally.number("before") > 0 { rows.append(try row(label, tally)) }
            }
        }
        let head = [property ?? "", "events", "users"] + (before ? ["before"] : [])
        return TextTable.lines(head, rows)
    }

    private func row(_ label: String, _ tally: JSON) throws(Failure) -> [String] {
        let users = tally["users"]?.intValue?.grouped ?? "?"
        return [label.printable, try tally.number("count").grouped, users]
            + (before ? [try tally.number("before").grouped] : [])
    }

    private static func text(_ value: JSON) -> String { value.stringValue ?? value.description }
}
