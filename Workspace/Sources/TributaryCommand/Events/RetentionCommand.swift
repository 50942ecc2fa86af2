import ArgumentParser
import Foundation
import TributaryJSON

/// Counts the people who came back.
struct RetentionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retention", abstract: "Counts the people who came back.",
        discussion: """
            A person belongs to the day or the week of the first event, of the first time in the days that are asked \
            for. A row has the people of a day or week, and how many of them did the returning event 1, 2, 3 days or \
            weeks later. An event is named as a step of a funnel: its name, or a JSON object with its type, its name \
            and conditions: '{"type":"track","name":"Signed Up","where":["properties.plan=pro"]}'. Days are whole days \
            in the time zone of the source unless --zone says otherwise, by the time when the events happened; the last 30 \
            unless --since says otherwise. Weeks begin on \
            Monday. The server shows its progress; Ctrl-C ends it.
            """)

    @Option(help: "The event that people do first.")
    var first: String

    @Option(help: "The event that they do when they come back; the first one again unless given.")
    var returning: String?

    @Option(help: "Whether people are counted by day or by week.")
    var by = "day"

    @Option(help: "The time zone of the days, such as Europe/Berlin; that of the source unless given.")
    var zone: String?

    @Option(help: "From the day of this time on: 2026-11-21T01:00:00Z, or a day; by week, from its Monday on.")
    var since: String?

    @Option(help: "Only days that begin before this time.")
    var until: String?

    @Flag(help: "Write the result as JSON, with all days or weeks.")
    var json = false

    @OptionGroup var options: SourceOptions

    /// Days or weeks later that a table has.
    private static let mostLater = 14

    func run() async throws {
        let values: [(String, String?)] = [
            ("writeKey", options.writeKey), ("first", first), ("returning", returning), ("by", by), ("since", since),
            ("until", until), ("zone", zone),
        ]
        let query = values.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        let result = try await AdministrationClient(options.server).searched("api/retention", query: query)
        if json { print(result.description) } else { for line in try lines(result) { print(line) } }
    }

    private func lines(_ result: JSON) throws(Failure) -> [String] {
        let all = JSON.object(try result.object("all"))
        // Columns are left out when no cohort is so old.
        let of = try numbers("of", all).filter { $0 > 0 }
        let count = min(of.count, Self.mostLater)
        let titles = [by == "week" ? "week of" : "day", "people"] + (0..<count).map { "+\($0 + 1)" }
        let shares = zip(try numbers("returned", all), of).map(Self.share)
        var rows = [["all", (all["people"]?.intValue ?? 0).grouped] + shares]
        for cohort in try result.list("cohorts") {
            let people = cohort["people"]?.intValue ?? 0
            let shares = try numbers("returned", cohort).map { Self.share($0, of: people) }
            rows.append([(cohort["since"]?.stringValue ?? "").printable, people.grouped] + shares)
        }
        rows = rows.map { Array(($0 + Array(repeating: "", count: titles.count)).prefix(titles.count)) }
        let rest = of.count > count ? ["The other \(of.count - count) \(by)s are in --json."] : []
        return TextTable.lines(titles, rows) + rest
    }

    private func numbers(_ member: String, _ json: JSON) throws(Failure) -> [Int] {
        try json.list(member).map { $0.intValue ?? 0 }
    }

    /// The people and their share; empty for a cohort without people.
    private static func share(_ people: Int, of all: Int) -> String {
        all == 0 ? "" : "\(people.grouped) (\(people * 100 / all) %)"
    }
}
