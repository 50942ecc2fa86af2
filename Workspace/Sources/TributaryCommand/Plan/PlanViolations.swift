import ArgumentParser
import Foundation
import TributaryJSON

/// Shows the events that differ from the plan.
struct PlanViolations: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "violations", abstract: "Counts the events that differ from the plan by the day, or lists them.",
        discussion: """
            Events are counted when they come, by the plan of that time; the last 30 days unless --since says otherwise. With \
            --list, the newest stored events that differ from the plan of now are listed, each with the differences.
            """)

    @Flag(help: "Lists events with their differences.")
    var list = false

    @Option(help: "Only events of this type, with --list.")
    var type: String?

    @Option(help: "Only events of this name, with --list.")
    var name: String?

    @Option(help: "Only this difference, with --list: event, blocked, unplanned, missing, type or value.")
    var problem: String?

    @Option(help: "Only differences of this property, with --list.")
    var key: String?

    @OptionGroup var options: SourceOptions
    @OptionGroup var range: TimeRangeOptions

    func validate() throws {
        guard list || [type, name, problem, key].allSatisfy({ $0 == nil }) else {
            throw ValidationError("--type, --name, --problem and --key are for --list.")
        }
    }

    func run() async throws {
        let client = try AdministrationClient(options)
        if list { return try await listEvents(client) }
        let answer = try await client.get("plan/violations", query: range.query)
        let days = try answer.list("days").map { $0.stringValue ?? "" }
        for (day, count) in zip(days, try answer.list("total")) where count.intValue ?? 0 > 0 {
            print("\(day)  \((count.intValue ?? 0).grouped)")
        }
        for event in try answer.list("events") {
            print("\(Self.title(event)): \(try event.number("count").grouped)")
        }
        let unplanned = try answer.list("unplanned").reduce(0) { $0 + ($1.intValue ?? 0) }
        if unplanned > 0 { print("not planned: \(unplanned.grouped)") }
        if try answer.list("total").allSatisfy({ $0.intValue == 0 }) { print("no event of these days differed") }
    }

    private func listEvents(_ client: AdministrationClient) async throws {
        let filters = [("type", type), ("name", name), ("problem", problem), ("key", key)].compactMap { name, value in
            value.map { URLQueryItem(name: name, value: $0) }
        }
        let answer = try await client.get("plan/differing", query: filters + range.query)
        for event in try answer.list("events") {
            let problems = try event.list("problems").map(Self.problem).joined(separator: ", ")
            let at = event["receivedAt"]?.stringValue ?? ""
            print("\(at)  \(try event.text("messageId").printable)  \(Self.title(event)): \(problems)")
        }
        print("looked at \(try answer.number("lookedAt").grouped) events, newest first")
    }

    private static func title(_ event: JSON) -> String {
        let type = event["type"]?.stringValue?.printable ?? ""
        return event["name"]?.stringValue.map { "\($0.printable) (\(type))" } ?? type
    }

    private static func problem(_ problem: JSON) -> String {
        let key = problem["key"]?.stringValue?.printable ?? ""
        return switch problem["problem"]?.stringValue {
        case "event": "not planned"
        case "blocked": "blocked"
        case "unplanned": "\(key) is not planned"
        case "missing": "\(key) is missing"
        case "type": "\(key) is of another type"
        default: "\(key) has a value that is not allowed"
        }
    }
}
