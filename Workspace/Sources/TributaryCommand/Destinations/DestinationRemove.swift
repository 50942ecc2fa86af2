import ArgumentParser
import TributaryJSON

/// Removes a destination.
struct DestinationRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a destination with its secret, the events that wait for it, and its dead letters.",
        discussion: "The events themselves stay stored. To stop for a while, use `tributary destination pause`.")

    @OptionGroup var options: DestinationOptions

    func run() async throws {
        let answer = try await options.client().delete("")
        print("\(try answer.text("removed").printable) is removed")
    }
}
