import ArgumentParser
import TributaryJSON

/// Shows one destination.
struct DestinationShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows the settings and the state of a destination.")

    @OptionGroup var options: DestinationOptions

    @Flag(help: "Write it as JSON.")
    var json = false

    func run() async throws {
        let answer = try await options.client().get("")
        if json { return print(answer.description) }
        for line in try DestinationReport(answer).lines { print(line) }
    }
}
