import ArgumentParser
import TributaryJSON

/// Makes a source.
struct SourceAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a source and prints its write key.")

    @Argument(help: "Its name.")
    var name: String

    @Option(help: "Its write key; by default the workspace makes one.")
    var writeKey: String?

    @OptionGroup var options: ServerOptions

    func run() async throws {
        var body: JSON = ["name": .string(name)]
        body["writeKey"] = writeKey.map(JSON.string)
        let answer = try await AdministrationClient(options).send("POST", "api/sources", body)
        print(try answer.text("writeKey").printable)
    }
}
