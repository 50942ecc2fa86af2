import ArgumentParser
import Foundation
import TributaryJSON

/// The tracking plan of a source: which events it should send, and with which properties.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Sets the events that a source should send, and compares them with real ones.",
        discussion: """
            A plan is JSON: {"events": [{"type": "track", "name": "Order Completed", "properties": [{"key": "total", \
            "type": "number", "required": true}]}]}. An event with "blocked": true does not go to destinations on the \
            device, nor does an unplanned one with "unplanned": "block". The workspace stores every event.
            """,
        subcommands: [
            PlanShow.self, PlanSet.self, PlanCheck.self, PlanDraft.self, PlanImport.self, PlanViolations.self,
            PlanCode.self,
        ])
}

struct PlanShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Writes the plan as JSON.")

    @OptionGroup var options: SourceOptions

    func run() async throws { print(try await AdministrationClient(options).get("plan").prettyPrint()) }
}

struct PlanSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Replaces the plan.")

    @Argument(help: "A JSON file with the plan.", completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var options: SourceOptions

    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
        let plan = try InputFile.json(file)
        let client = try AdministrationClient(options)
        try confirmation.confirm(
            IrreversibleStep(
                losses: PlanLosses.lines(from: try await client.get("plan"), to: plan), question: "Replace the plan?",
                otherwise: "the plan is as it was"))
        let answer = try await client.send("PUT", "plan", plan)
        let events = try answer.list("events").count
        print("\(events) \(events == 1 ? "event is" : "events are") planned")
    }
}

struct PlanCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Compares the stored events with the plan.",
        discussion: """
            The server counts while it stores events, so the answer reads none. Days are whole days in UTC; the last 30 \
            unless --since says otherwise. Exits with 0 when everything is as planned, and with 3 otherwise.
            """)

    @OptionGroup var options: SourceOptions
    @OptionGroup var range: TimeRangeOptions

    func run() async throws {
        let query = [
            URLQueryItem(name: "writeKey", value: options.writeKey), URLQueryItem(name: "limit", value: "500"),
        ]
        let catalog = try await AdministrationClient(options.server).get("api/catalog", query: query + range.query)
        let report = try PlanReport(catalog)
        guard report.hasPlan else { throw Failure("the source \(options.writeKey) has no tracking plan") }
        for line in report.lines { print(line) }
        if report.hasDeviations { throw ExitCode(3) }
        print("everything is as planned")
    }
}

struct PlanDraft: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draft", abstract: "Writes a plan that matches the stored events, as a beginning.",
        discussion: "A property is required when each event had it, and has a type when all values had the same type.")

    @OptionGroup var options: SourceOptions
    @OptionGroup var range: TimeRangeOptions

    func run() async throws {
        let query = [
            URLQueryItem(name: "writeKey", value: options.writeKey), URLQueryItem(name: "limit", value: "500"),
        ]
        let catalog = try await AdministrationClient(options.server).get("api/catalog", query: query + range.query)
        let events = try catalog.list("names").map(Self.event)
        print(JSON.object(["events": .array(events), "unplanned": "allow"]).prettyPrint())
    }

    private static func event(_ entry: JSON) throws(Failure) -> JSON {
        let count = try entry.number("count")
        var properties: [JSON] = []
        for property in try entry.list("properties") {
            let types = try property.object("types").filter { $0.key != "null" }
            var planned: JSON = ["key": .string(try property.text("key"))]
            if types.count == 1, let type = types.first?.key { planned["type"] = .string(type) }
            let values = types.reduce(0) { $0 + ($1.value.intValue ?? 0) }
            if values >= count { planned["required"] = true }
            properties.append(planned)
        }
        var event: JSON = ["type": .string(try entry.text("type")), "properties": .array(properties)]
        if let name = entry["name"]?.stringValue { event["name"] = .string(name) }
        return event
    }
}
