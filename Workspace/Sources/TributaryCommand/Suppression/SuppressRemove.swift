import ArgumentParser
import TributaryJSON

/// Lets events of a user in again.
struct SuppressRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Stores events of a user or a device again.",
        discussion: "This also applies to the devices of an erased user. Erased events stay erased.")

    @OptionGroup var options: SuppressedOptions

    func run() async throws {
        let client = try AdministrationClient(options.server)
        let count = try await client.delete("api/suppressions", query: options.query).number("removed")
        print("events are stored again (\(count) \(count == 1 ? "entry" : "entries"))")
    }
}
