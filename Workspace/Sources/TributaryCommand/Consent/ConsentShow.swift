import ArgumentParser
import Foundation
import TributaryJSON

/// Shows where the newest events of one person went.
struct ConsentShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows for the newest events of a user which destinations got them, and why not.",
        discussion: """
            For each event: its consent data, and the time since which the device has sent it; then each \
            destination of the workspace. A destination that was changed after the event came is judged by its \
            present rules.
            """)

    @Argument(help: "User id.")
    var id: String

    @Flag(help: "The id is the anonymous id of a device.")
    var device = false

    @Option(help: "How many events to show, at most 100.")
    var limit = 20

    @Option(help: "Only events of this source.")
    var writeKey: String?

    @OptionGroup var server: ServerOptions

    @Flag(help: "Write one JSON object on each line.")
    var json = false

    func validate() throws {
        guard !id.isEmpty else { throw ValidationError("the id is empty") }
        guard (1...100).contains(limit) else { throw ValidationError("--limit is a number from 1 to 100") }
    }

    func run() async throws {
        var query = [
            URLQueryItem(name: device ? "anonymousId" : "userId", value: id),
            URLQueryItem(name: "limit", value: "\(limit)"),
        ]
        if let writeKey { query.append(URLQueryItem(name: "writeKey", value: writeKey)) }
        let events = try await AdministrationClient(server).get("api/consent", query: query).list("events")
        if events.isEmpty && !json { return print("no event of this id is stored") }
        for event in events { print(json ? event.description : ConsentReport(event).text) }
    }
}
