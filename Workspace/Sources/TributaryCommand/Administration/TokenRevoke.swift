import ArgumentParser
import TributaryJSON

/// Revokes a named token.
struct TokenRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revokes a token and ends the logins that were made with it, at once.")

    @Argument(help: "Its name.")
    var name: String

    @OptionGroup var options: ServerOptions

    @OptionGroup var list: ListOptions

    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
        let client = try AdministrationClient(options)
        // The server says what is wrong with a name that is not known.
        let isKnown = try await client.get("api/tokens").list("tokens").contains { $0["name"]?.stringValue == name }
        let loss = "the token \(name.printable) is revoked; programs and logins that use it are refused from now on"
        try confirmation.confirm(
            IrreversibleStep(
                losses: isKnown ? [loss] : [], question: "Revoke it?", otherwise: "nothing was revoked"))
        let answer = try await client.delete("api/tokens", named: name)
        try list.show(answer, "tokens", empty: TokenCommand.none, line: TokenCommand.line)
    }
}
