import ArgumentParser
import TributaryJSON

/// Switches a destination in the app off.
struct SettingsDestinationRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Switches a destination off and deletes its settings.")

    @Argument(help: "The key of the destination.")
    var name: String

    @OptionGroup var options: SourceOptions

    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
        let client = try AdministrationClient(options)
        guard let settings = try await client.get("integrations").objectValue?[name] else {
            throw Failure("the destination \(name.printable) is not on")
        }
        let names = (settings.objectValue ?? [:]).map(\.key.printable)
        let loss = "the settings of \(name.printable) are deleted: \(names.joined(separator: ", "))"
        try confirmation.confirm(
            IrreversibleStep(
                losses: names.isEmpty ? [] : [loss], question: "Switch it off?", otherwise: "nothing was changed"))
        try await client.send("PUT", "integrations", .object([name: .null]))
        print("\(name.printable) is off")
    }
}
