import ArgumentParser

/// Revokes a named token.
struct TokenRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revokes a token and ends the logins that were made with it, at once.")

    @Argument(help: "Its name.")
    var name: String

    @OptionGroup var options: ServerOptions

    @OptionGroup var list: ListOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).delete("api/tokens", named: name)
        try list.show(answer, "tokens", empty: TokenCommand.none, line: TokenCommand.line)
    }
}
