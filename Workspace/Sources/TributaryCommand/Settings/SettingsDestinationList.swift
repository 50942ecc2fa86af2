import ArgumentParser
import TributaryJSON

/// Shows which destinations in the app are on.
struct SettingsDestinationList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows the destinations that are on, with the names of their settings.")

    @OptionGroup var options: SourceOptions

    @Flag(help: "Write all of it as JSON, with the values.")
    var json = false

    func run() async throws {
        let answer = try await AdministrationClient(options).get("integrations")
        if json { return print(answer.description) }
        let destinations = try answer.expected(answer.objectValue)
        if destinations.isEmpty { print("no destination in the app is on; events go to the workspace") }
        for (name, settings) in destinations {
            let names = settings.objectValue?.map(\.key).joined(separator: ", ") ?? ""
            print("\(name.printable)  \(names.isEmpty ? "no settings" : names.printable)")
        }
    }
}
