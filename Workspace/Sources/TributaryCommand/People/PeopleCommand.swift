import ArgumentParser
import Foundation
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Finds people, and shows what one did over all devices.
struct PeopleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people",
        abstract: "Lists people, finds them by their traits, shows one over all devices, and lists groups.",
        subcommands: [PeopleShow.self, PeopleFind.self, PeopleGroups.self, PeopleMembers.self],
        defaultSubcommand: PeopleShow.self)
}

/// Lists the people of the newest events, or shows one.
struct PeopleShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Lists the people of the newest events, or shows one person over all devices.",
        discussion: """
            With --user or --anonymous: the newest traits, the devices, groups and former ids, and the newest events, \
            including events that the same devices sent before they knew the user.
            """)

    @Option(help: "The id of a user.")
    var user: String?

    @Option(help: "The anonymous id of a device.")
    var anonymous: String?

    @Option(help: "How many ids or events are shown, at most 1000.")
    var limit = 50

    @Flag(help: "Write the events of the person, or the ids, as JSON, one on each line.")
    var json = false

    @OptionGroup var options: SourceOptions

    /// Events in which ids are looked for.
    private static let newestEvents = 1_000
    /// How many devices of a user the command follows to their events.
    private static let followedDevices = 5

    func validate() throws {
        guard user == nil || anonymous == nil else { throw ValidationError("give --user or --anonymous, not both") }
        guard (1...1_000).contains(limit) else { throw ValidationError("--limit is a number from 1 to 1000") }
    }

    func run() async throws {
        let client = try AdministrationClient(options.server)
        guard let id = user ?? anonymous else { return try await showLately(client) }
        var events = try await Self.events(client, options, user == nil ? "anonymousId" : "userId", id, limit)
        if let user {
            for device in Self.unique(events, "anonymousId").prefix(Self.followedDevices) {
                let ofDevice = try await Self.events(client, options, "anonymousId", device, limit)
                // Events of another user of the same device are not this person's.
                events += ofDevice.filter { $0["userId"]?.stringValue.map { $0.isSameText(as: user) } ?? true }
            }
        }
        guard !events.isEmpty else { throw Failure("no event of \(id.printable) is stored") }
        let timeline = PersonTimeline(events, limit: limit)
        if json {
            for event in timeline.events { print(event.description) }
        } else {
            for line in timeline.lines(.output) { print(line) }
        }
    }

    private static func unique(_ events: [JSON], _ member: String) -> [String] {
        var seen = Set<ExactText>()
        return events.compactMap { $0[member]?.stringValue }.filter { seen.insert(ExactText($0)).inserted }
    }

    private static func events(
        _ client: AdministrationClient, _ options: SourceOptions, _ column: String?, _ id: String?, _ limit: Int
    ) async throws -> [JSON] {
        var query = [
            URLQueryItem(name: "writeKey", value: options.writeKey), URLQueryItem(name: "order", value: "desc"),
            URLQueryItem(name: "limit", value: "\(limit)"),
        ]
        if let column, let id { query.append(URLQueryItem(name: column, value: id)) }
        return try await client.get("api/events", query: query).list("events")
    }

    // MARK: Who was seen

    private func showLately(_ client: AdministrationClient) async throws {
        let events = try await Self.events(client, options, nil, nil, Self.newestEvents)
        var people: [(id: String, kind: String, last: String, count: Int)] = []
        var places: [ExactText: Int] = [:]
        for event in events {
            let user = event["userId"]?.stringValue
            guard let id = user ?? event["anonymousId"]?.stringValue else { continue }
            let kind = user == nil ? "anonymous id" : "user"
            let key = ExactText("\(kind) \(id)")
            if let place = places[key] {
                people[place].count += 1
            } else {
                places[key] = people.count
                people.append((id, kind, event["receivedAt"]?.stringValue ?? "", 1))
            }
        }
        if json {
            for person in people.prefix(limit) {
                print(
                    JSON.object([
                        "id": .string(person.id), "kind": .string(person.kind == "user" ? "userId" : "anonymousId"),
                        "last": .string(person.last), "events": .number(person.count),
                    ]).description)
            }
            return
        }
        guard !people.isEmpty else { return print("no user or device was seen yet") }
        let rows = people.prefix(limit).map { [$0.id.printable, $0.kind, $0.last.printable, $0.count.grouped] }
        for line in TextTable.lines(["id", "kind", "last event", "events"], rows, texts: 3) { print(line) }
    }
}
