import ArgumentParser
import Foundation
import TributaryJSON

/// Counts the people who did some steps, one after the other.
struct FunnelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel", abstract: "Counts the people who did some steps, one after the other.",
        discussion: """
            A step is the name of an event, or a JSON object with its type, its name and conditions: \
            '{"type":"track","name":"Signed Up","where":["properties.plan=pro"]}'. Days are whole days in the \
            time zone of the source unless --zone says otherwise, by the time when the events happened; the last 30 unless \
            --since says otherwise. The server shows its progress; \
            Ctrl-C ends it.
            """)

    @Option(name: .customLong("step"), help: "A step; 2 to 8 of them, in their order.")
    var steps: [String] = []

    @Option(help: "Seconds from the first step to the last at most, up to 7776000 (90 days).")
    var window = 604_800

    @Option(help: "Count apart by this property of the first step: properties.plan, context.os.name.")
    var property: String?

    @Option(help: "The number of a step: also show what people did just before it, and next without the step after it.")
    var around: Int?

    @Option(help: "The time zone of the days, such as Europe/Berlin; that of the source unless given.")
    var zone: String?

    @Option(help: "How many values are listed, up to 200.")
    var limit = 20

    @Option(help: "From the day of this time on: 2026-11-21T01:00:00Z, or a day.")
    var since: String?

    @Option(help: "Only days that begin before this time.")
    var until: String?

    @Flag(help: "Write the result as JSON.")
    var json = false

    @OptionGroup var options: SourceOptions

    func run() async throws {
        let values: [(String, String?)] = [
            ("writeKey", options.writeKey), ("window", "\(window)"), ("property", property), ("limit", "\(limit)"),
            ("around", around.map { "\($0)" }), ("zone", zone),
            ("since", since), ("until", until),
        ]
        var query = values.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        query += steps.map { URLQueryItem(name: "step", value: $0) }
        let result = try await AdministrationClient(options.server).searched("api/funnel", query: query)
        if json { print(result.description) } else { for line in try lines(result) { print(line) } }
    }

    private func lines(_ result: JSON) throws(Failure) -> [String] {
        var rows = try rows("all people", JSON.object(try result.object("all")))
        if property != nil {
            for value in try result.list("values") {
                let text = value["value"] ?? .null
                rows += try self.rows(text.stringValue ?? text.description, value)
            }
            for (member, label) in [("others", "(other values)"), ("absent", "(without it)")] {
                let counts = JSON.object(try result.object(member))
                if counts["people"]?.elements?.first != 0 { rows += try self.rows(label, counts) }
            }
        }
        let table = TextTable.lines([property ?? "", "step", "people", "share", "median time"], rows)
        guard let around = result["around"] else { return table }
        return table + (try neighbours(around))
    }

    /// What people did beside a step.
    private func neighbours(_ around: JSON) throws(Failure) -> [String] {
        let step = try around.number("step")
        var lines: [String] = []
        for (member, title) in [("before", "before step \(step)"), ("next", "next, without step \(step + 1)")] {
            let counts = JSON.object(try around.object(member))
            let people = try counts.number("people")
            var rows: [[String]] = []
            for event in try counts.list("events") {
                let label = ["type", "name"].compactMap { event[$0]?.stringValue?.printable }.joined(separator: " ")
                rows.append([label, try Self.people(event, "people", of: people)])
            }
            for (rest, label) in [("others", "(other events)"), ("nothing", "(nothing)")]
            where try counts.number(rest) > 0 {
                rows.append([label, try Self.people(counts, rest, of: people)])
            }
            let last = member == "next" && step == steps.count ? "next" : title
            lines += [""] + TextTable.lines([last, "people"], rows)
        }
        return lines
    }

    private static func people(_ counts: JSON, _ member: String, of all: Int) throws(Failure) -> String {
        let people = try counts.number(member)
        return "\(people.grouped) (\(people * 100 / max(all, 1)) %)"
    }

    /// A row for each step. Shares are those of the people who did the first step.
    private func rows(_ label: String, _ counts: JSON) throws(Failure) -> [[String]] {
        let people = try counts.list("people").map { $0.intValue ?? 0 }
        let medians = try counts.list("medianSeconds")
        let first = max(people.first ?? 0, 1)
        return zip(people, medians).enumerated().map { index, step in
            let step = (people: step.0, median: step.1.intValue)
            let name = index < steps.count ? steps[index].printable : "\(index + 1)"
            return [
                index == 0 ? label.printable : "", name, step.people.grouped, "\(step.people * 100 / first) %",
                step.median.map { "\($0.grouped) s" } ?? "",
            ]
        }
    }
}
