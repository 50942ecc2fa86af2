import ArgumentParser
import TributaryJSON

/// Shows what a source is forwarded to.
struct DestinationList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows the destinations of a source and how they do.")

    @OptionGroup var options: SourceOptions

    @Flag(help: "Write the list as JSON.")
    var json = false

    func run() async throws {
        let answer = try await AdministrationClient(options).get("destinations")
        if json { return print(answer.description) }
        guard let destinations = answer["destinations"]?.elements else {
            throw Failure("the server's answer is not that of a workspace: \(answer)")
        }
        if destinations.isEmpty { print("no destinations; `tributary destination add` makes one") }
        for destination in destinations { print(try DestinationReport(destination).line) }
    }
}
