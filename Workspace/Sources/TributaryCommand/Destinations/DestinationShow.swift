import ArgumentParser
import TributaryJSON

/// Shows one destination.
struct DestinationShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows the settings of a destination and how it does.")

    @OptionGroup var options: DestinationOptions

    @Flag(help: "Write it as JSON.")
    var json = false

    func run() async throws {
        let answer = try await options.client().get("")
        if json { return print(answer.description) }
        for line in try DestinationReport(answer).lines { print(line) }
    }
}
