import ArgumentParser
import TributaryJSON

/// Makes a named token.
struct TokenAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Makes a token and prints it. It is shown only once.")

    @Argument(help: "Its name, such as that of a person or a script.")
    var name: String

    @Option(help: "What it may do.")
    var role: TokenRole

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let body: JSON = ["name": .string(name), "role": .string(role.rawValue)]
        let answer = try await AdministrationClient(options).send("POST", "api/tokens", body)
        print(try answer.text("token").printable)
    }
}
