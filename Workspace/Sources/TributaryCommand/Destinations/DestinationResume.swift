import ArgumentParser
import TributaryJSON

/// Resumes forwarding.
struct DestinationResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Sends a destination the events that wait for it, and new events.")

    @OptionGroup var options: DestinationOptions

    func run() async throws {
        let answer = try await options.set(enabled: true)
        let name = try DestinationReport(answer).name
        print("\(name) is on")
    }
}
