import ArgumentParser
import TributaryJSON

/// Changes the settings of a destination.
struct DestinationSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Changes the settings of a destination.",
        discussion: "Settings that are not named stay as they are. Events that wait are sent to the new address.")

    @OptionGroup var options: DestinationOptions

    @Option(help: "Address that gets the events, https or http.")
    var url: String?

    @OptionGroup var webhook: WebhookOptions

    func validate() throws {
        if url == nil && webhook.isEmpty {
            throw ValidationError("there is nothing to change: name --url, --timeout, --parallel, --batch or --header")
        }
    }

    func run() async throws {
        let client = try options.client()
        let before = try await client.get("")
        var settings = try before.object("settings")
        if let url { settings["url"] = .string(url) }
        try webhook.apply(to: &settings)
        // The server replaces settings as a whole, so the command reads them first.
        let answer = try await client.send("PUT", "", ["settings": .object(settings)])
        for line in try DestinationReport(answer).lines { print(line) }
    }
}
