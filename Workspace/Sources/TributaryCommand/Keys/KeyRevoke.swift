import ArgumentParser
import TributaryJSON

/// Revokes a write key.
struct KeyRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revokes a key, at once. A revoked key can never be used again.")

    @Argument(help: "The key.")
    var key: String

    @OptionGroup var options: SourceOptions

    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
        let client = try AdministrationClient(options)
        // The server says what is wrong with a key that is not valid.
        let valid = try await client.get("keys").list("keys").first {
            $0["key"]?.stringValue == key && $0["revokedAt"]?.isNull == true
        }
        try confirmation.confirm(
            IrreversibleStep(
                losses: valid.map { [Self.loss(key, name: $0["name"]?.stringValue ?? key)] } ?? [],
                question: "Revoke it?", otherwise: "nothing was revoked"))
        let answer = try await client.delete("keys", named: key)
        for key in try answer.list("keys") { print(KeyCommand.line(key)) }
    }

    /// The loss when a key is revoked.
    static func loss(_ key: String, name: String) -> String {
        "the key \(key.printable) (\(name.printable)) is revoked; apps that send with it are refused from now on"
    }
}
