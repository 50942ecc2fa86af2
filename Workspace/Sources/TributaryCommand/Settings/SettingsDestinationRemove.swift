import ArgumentParser
import TributaryJSON

/// Switches a destination in the app off.
struct SettingsDestinationRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Switches a destination off and deletes its settings.")

    @Argument(help: "The key of the destination.")
    var name: String

    @OptionGroup var options: SourceOptions

    func run() async throws {
        let client = try AdministrationClient(options)
        guard try await client.get("integrations").objectValue?[name] != nil else {
            throw Failure("the destination \(name.printable) is not on")
        }
        try await client.send("PUT", "integrations", .object([name: .null]))
        print("\(name.printable) is off")
    }
}
