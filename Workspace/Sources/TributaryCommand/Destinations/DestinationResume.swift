import ArgumentParser
import TributaryJSON

/// Goes on with forwarding.
struct DestinationResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Sends a destination what waits for it, and what arrives.")

    @OptionGroup var options: DestinationOptions

    func run() async throws {
        let answer = try await options.client().send("PUT", "", ["enabled": true])
        let name = try DestinationReport(answer).name
        print("\(name) is on")
    }
}
