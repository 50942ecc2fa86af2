import ArgumentParser
import TributaryJSON

/// Shows the destinations of a source.
struct DestinationList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows the destinations of a source and their state.")

    @OptionGroup var options: SourceOptions

    @OptionGroup var list: ListOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).get("destinations")
        try list.show(answer, "destinations", empty: "no destinations; `tributary destination add` makes one") {
            try DestinationReport($0).line
        }
    }
}
