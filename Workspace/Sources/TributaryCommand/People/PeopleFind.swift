import ArgumentParser
import Foundation
import TributaryJSON

/// The parts that lists of people, groups and members share.
enum PeopleList {
    /// The id of a person in a list.
    static func id(_ person: JSON) -> String {
        if let user = person["userId"]?.stringValue { return user.printable }
        return (person["anonymousId"]?.stringValue ?? "").printable + " (anonymous id)"
    }

    /// The last line of a list that is not whole.
    static func rest(_ result: JSON) -> [String] {
        result["isCut"] == true ? ["There are more; --limit takes up to 500."] : []
    }
}

/// The options that all lists of people have.
struct PeopleOptions: ParsableArguments {
    @Option(help: "How many are listed, at most 500.")
    var limit = 50

    @Option(help: "Only events that arrived on the day of this time or later: 2026-11-21T01:00:00Z, or a day.")
    var since: String?

    @Option(help: "Only events that arrived on days before this time.")
    var until: String?

    @Flag(help: "Write the result as JSON.")
    var json = false

    @OptionGroup var options: SourceOptions

    /// The result of a search, which is shown as JSON or as lines.
    func show(_ path: String, _ values: [(String, String?)], _ lines: (JSON) throws -> [String]) async throws {
        let all =
            values + [
                ("writeKey", options.writeKey), ("limit", "\(limit)"), ("since", since), ("until", until),
            ]
        let query = all.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        let result = try await AdministrationClient(options.server).searched(path, query: query)
        if json { return print(result.description) }
        for line in try lines(result) { print(line) }
    }
}

/// Finds people by a part of a trait.
struct PeopleFind: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find", abstract: "Finds people with a text in a trait or in the user id.")

    @Argument(help: "A part of a mail address, a name or another trait; its case does not count.")
    var text: String

    @OptionGroup var people: PeopleOptions

    func run() async throws {
        try await people.show("api/people", [("search", text)]) { result in
            let rows = try result.list("people").map { person in
                [
                    PeopleList.id(person), (person["seenAt"]?.stringValue ?? "").printable,
                    (person["traits"]?.description ?? "").printable,
                ]
            }
            guard !rows.isEmpty else { return ["no identify event has this text"] }
            return TextTable.lines(["person", "seen", "traits"], rows, texts: 3) + PeopleList.rest(result)
        }
    }
}

/// Lists groups.
struct PeopleGroups: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "groups", abstract: "Lists groups with the number of their members.")

    @Option(help: "Only groups with this text in the id or a trait.")
    var search: String?

    @OptionGroup var people: PeopleOptions

    func run() async throws {
        try await people.show("api/groups", [("search", search)]) { result in
            let rows = try result.list("groups").map { group in
                [
                    (group["groupId"]?.stringValue ?? "").printable, (group["members"]?.intValue ?? 0).grouped,
                    (group["seenAt"]?.stringValue ?? "").printable,
                ]
            }
            guard !rows.isEmpty else { return ["there is no such group"] }
            return TextTable.lines(["group", "members", "seen"], rows) + PeopleList.rest(result)
        }
    }
}

/// Lists the members of a group.
struct PeopleMembers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "members", abstract: "Lists the people who sent a group event with the id of a group.")

    @Argument(help: "The id of the group.")
    var group: String

    @OptionGroup var people: PeopleOptions

    func run() async throws {
        try await people.show("api/groups/members", [("groupId", group)]) { result in
            let rows = try result.list("members").map { person in
                [PeopleList.id(person), (person["seenAt"]?.stringValue ?? "").printable]
            }
            guard !rows.isEmpty else { return ["no group event has this id"] }
            return TextTable.lines(["person", "seen"], rows, texts: 2) + PeopleList.rest(result)
        }
    }
}
