import ArgumentParser
import Foundation
import TributaryJSON

/// Shows which events a source has.
struct Catalog: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the names of a source's events, how often they come, and with which properties.",
        discussion: """
            The server counts while it stores events, so the answer reads none. Days are whole days in the time zone \
            of the source unless --zone says otherwise, by the time of arrival; the last 30 unless --since says otherwise.
            """)

    @OptionGroup var options: SourceOptions
    @OptionGroup var range: TimeRangeOptions

    @Option(help: "Only events of this type: track, identify, page, screen, group or alias.")
    var type: String?

    @Option(help: "Only events of this name.")
    var name: String?

    @Option(help: "How many names are listed, up to 500; the 100 most frequent ones unless given.")
    var limit: Int?

    @Option(help: "The time zone of the days, such as Europe/Berlin; that of the source unless given.")
    var zone: String?

    @Flag(help: "List the properties of each name, and the types of their values.")
    var properties = false

    @Flag(help: "Write the answer as JSON.")
    var json = false

    func run() async throws {
        let values: [(String, String?)] = [
            ("writeKey", options.writeKey), ("type", type), ("name", name), ("limit", limit.map { "\($0)" }),
            ("zone", zone),
        ]
        let query = values.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        let answer = try await AdministrationClient(options.server).get("api/catalog", query: query + range.query)
        if json { return print(answer.description) }
        print(try CatalogTable(answer, withProperties: properties).text)
    }
}
