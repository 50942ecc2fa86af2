import ArgumentParser
import Foundation
import TributaryJSON

/// Adds a write key to a source.
struct KeyAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Adds a key and prints it.")

    @OptionGroup var options: SourceOptions

    @Option(help: "Its name.")
    var name: String?

    @Option(help: "The key itself; by default the workspace makes one.")
    var key: String?

    func run() async throws {
        var body: JSON = [:]
        body["name"] = name.map(JSON.string)
        body["key"] = key.map(JSON.string)
        let answer = try await AdministrationClient(options).send("POST", "keys", body)
        print(try answer.text("key").printable)
    }
}
