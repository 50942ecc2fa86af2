import ArgumentParser
import Foundation
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Counts events by the values of a property, and adds up the numbers of another one.
struct BreakdownCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "breakdown", abstract: "Counts events and users by the values of a property.",
        discussion: """
            The server reads the events one by one, newest first, and shows its progress; Ctrl-C ends it. Days are \
            whole days in the time zone of the source, by the time of arrival, unless --zone and --time say otherwise; the \
            last 30 unless --since says otherwise.

            Examples:
              tributary breakdown --write-key KEY --property properties.currency
              tributary breakdown --write-key KEY --property properties.currency --and context.os.name
              tributary breakdown --write-key KEY --name "Order Completed" --sum properties.total --by day
              tributary breakdown --write-key KEY --statistic p95 --of properties.milliseconds --property context.app.version
            """)

    @Option(
        help:
            "The path of the property, as in --where: properties.plan, context.os.name. Without it, all events are counted together."
    )
    var property: String?

    @Option(help: "The path of a second property: count by the pairs of values.")
    var and: String?

    @Option(help: "Only events of this type: track, identify, page, screen, group or alias.")
    var type: String?

    @Option(help: "Only events of this name.")
    var name: String?

    @Option(help: "How many values are listed, up to 200.")
    var limit = 20

    @Option(help: "Show the counts of each hour, day or week in the place of the values.")
    var by: Intervals.Unit?

    @Option(help: "Count by the time when events were received, or when they happened.")
    var time = Breakdown.Question.Time.received

    @Option(help: "The time zone of the days, such as Europe/Berlin; that of the source unless given.")
    var zone: String?

    @Option(help: "Add up the numbers of this property: the same as --statistic sum --of PATH.")
    var sum: String?

    @Option(help: "What to say of the numbers of --of: \(Statistic.allCases.map(\.rawValue).joined(separator: ", ")).")
    var statistic: Statistic?

    @Option(help: "The path of the numbers, such as properties.total.")
    var of: String?

    @Flag(help: "Compare with as many days before.")
    var before = false

    @Flag(help: "Write the result as JSON.")
    var json = false

    @OptionGroup var conditions: ConditionOptions
    @OptionGroup var range: TimeRangeOptions
    @OptionGroup var options: SourceOptions

    func validate() throws {
        guard and == nil || property != nil else { throw ValidationError("--and needs --property, too.") }
        guard sum == nil || statistic == nil && of == nil else {
            throw ValidationError("--sum PATH is the same as --statistic sum --of PATH; give one of both.")
        }
        guard (statistic == nil) == (of == nil) else {
            throw ValidationError("--statistic and --of belong together: what to say, and the path of the numbers.")
        }
    }

    /// The head of the column of the statistic.
    private var measure: String? { sum.map { "sum of \($0)" } ?? statistic.map { "\($0.rawValue) of \(of ?? "")" } }

    func run() async throws {
        let values: [(String, String?)] = [
            ("writeKey", options.writeKey), ("property", property), ("and", and), ("type", type), ("name", name),
            ("limit", "\(limit)"), ("compare", before ? "true" : nil), ("interval", by?.rawValue),
            ("time", time == .received ? nil : time.rawValue), ("zone", zone),
            ("statistic", statistic?.rawValue ?? sum.map { _ in "sum" }),
            ("of", of ?? sum),
        ]
        let query = values.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        let result = try await AdministrationClient(options.server).searched(
            "api/breakdown", query: query + conditions.query + range.query)
        if json {
            print(result.description)
        } else {
            for line in by == nil ? try lines(result) : try linesOfIntervals(result) { print(line) }
        }
        try await explain(result)
    }

    /// Says why nothing was counted, or everything without the property.
    private func explain(_ result: JSON) async throws {
        var paths = try conditions.read().paths
        for path in [property, and, of ?? sum].compactMap(\.self) { paths += try EventConditions([path]).paths }
        let total = JSON.object(try result.object("total"))
        let absent = try JSON.object(try result.object("absent")).number("count")
        let hasNoNumber = measure != nil && total["measured"]?["numbers"] == 0
        guard try hasNoNumber || total.number("count") == (property == nil ? 0 : absent) else { return }
        let names = [("writeKey", options.writeKey), ("type", type), ("name", name)]
        let query = names.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        try await PathAdvice(client: try AdministrationClient(options.server), query: query + range.query).explain(
            paths)
    }

    private func lines(_ result: JSON) throws(Failure) -> [String] {
        let total = JSON.object(try result.object("total"))
        var rows = [try row(["all events"], total)]
        if property != nil {
            for value in try result.list("values") {
                let labels = [value["value"]] + (and == nil ? [] : [value["and"]])
                rows.append(try row(labels.map { $0.map(Self.text) ?? "(without it)" }, value))
            }
            for (member, label) in [("others", "(other values)"), ("absent", "(without it)")] {
                let tally = JSON.object(try result.object(member))
                if try tally.number("count") + tally.number("before") > 0 { rows.append(try row([label], tally)) }
            }
        }
        let counts = ["events", "users"] + (before ? ["before"] : [])
        let measured = measure.map { before ? [$0, "before"] : [$0] } ?? []
        return TextTable.lines([property ?? ""] + (and.map { [$0] } ?? []) + counts + measured, rows)
    }

    /// A row for each hour, day or week.
    private func linesOfIntervals(_ result: JSON) throws(Failure) -> [String] {
        let total = JSON.object(try result.object("total"))
        let measured = total["measured"]?["days"]?.elements
        let (days, counts) = (result["days"]?.elements ?? [], total["days"]?.elements ?? [])
        let users = result["usersByDay"]?.elements
        let rows = days.indices.map { index in
            [Self.text(days[index]), counts[index].intValue?.grouped ?? "", users?[index].intValue?.grouped ?? "?"]
                + (measured.map { [Self.shown($0[index])] } ?? [])
        }
        return TextTable.lines([by?.rawValue ?? "", "events", "users"] + (measure.map { [$0] } ?? []), rows)
    }

    /// - Parameter labels: of the values; fewer than columns leave the others empty.
    private func row(_ labels: [String], _ tally: JSON) throws(Failure) -> [String] {
        let users = tally["users"]?.intValue?.grouped ?? "?"
        let empty = Array(repeating: "", count: (and == nil ? 1 : 2) - labels.count)
        var row = labels.map(\.printable) + empty + [try tally.number("count").grouped, users]
        if before { row.append(try tally.number("before").grouped) }
        guard let measured = tally["measured"] else { return row }
        return row + [Self.shown(measured["value"])] + (before ? [Self.shown(measured["before"])] : [])
    }

    /// A number of a statistic; a dash without one. It has six decimals at most, because sums of decimals have noise behind.
    private static func shown(_ number: JSON?) -> String {
        guard let number = number?.doubleValue else { return "-" }
        if abs(number) < 1e15, number == number.rounded() { return Int(number).grouped }
        return "\((number * 1e6).rounded() / 1e6)"
    }

    private static func text(_ value: JSON) -> String { value.stringValue ?? value.description }
}

extension Intervals.Unit: ExpressibleByArgument {}
extension Breakdown.Question.Time: ExpressibleByArgument {}
extension Statistic: ExpressibleByArgument {}
