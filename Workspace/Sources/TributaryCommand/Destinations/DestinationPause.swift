import ArgumentParser
import TributaryJSON

/// Stops forwarding for a while.
struct DestinationPause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Sends nothing more to a destination until it is resumed.",
        discussion: """
            Events wait in the store as long as the workspace keeps them. Requests that are under way may still \
            arrive.
            """)

    @OptionGroup var options: DestinationOptions

    func run() async throws {
        let answer = try await options.set(enabled: false)
        let name = try DestinationReport(answer).name
        print("\(name) is off; new events wait until it is resumed")
    }
}
