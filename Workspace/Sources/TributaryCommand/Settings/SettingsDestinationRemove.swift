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
        try confirmation.confirm(
            IrreversibleStep(
                losses: Self.losses(name, settings), question: "Switch it off?", otherwise: "nothing was changed"))
        try await client.send("PUT", "integrations", .object([name: .null]))
        print("\(name.printable) is off")
    }

    /// The loss when the destination is switched off; none when it has no settings.
    static func losses(_ name: String, _ settings: JSON) -> [String] {
        let names = (settings.objectValue ?? [:]).map(\.key.printable)
        return names.isEmpty ? [] : ["the settings of \(name.printable) are deleted: \(names.joined(separator: ", "))"]
    }
}
