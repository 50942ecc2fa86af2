import ArgumentParser

/// Shows the named tokens.
struct TokenList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows the named tokens with their roles, not the tokens themselves.")

    @OptionGroup var options: ServerOptions

    @OptionGroup var list: ListOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).get("api/tokens")
        try list.show(answer, "tokens", empty: TokenCommand.none, line: TokenCommand.line)
    }
}
