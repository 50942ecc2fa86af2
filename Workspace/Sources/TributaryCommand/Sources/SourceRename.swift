import ArgumentParser
import TributaryJSON

/// Renames a source.
struct SourceRename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Gives a source another name; its write key stays.")

    @Argument(help: "Its new name.")
    var name: String

    @OptionGroup var options: SourceOptions

    func run() async throws {
        let client = try AdministrationClient(options)
        // A PUT with the name of an unknown source would make one, so the command checks first.
        try await client.get("keys")
        let answer = try await client.send("PUT", "", ["name": .string(name)])
        print("\(options.writeKey) is called \(try answer.text("name").printable)")
    }
}
