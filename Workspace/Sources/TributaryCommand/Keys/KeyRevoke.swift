import ArgumentParser

/// Revokes a write key.
struct KeyRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revokes a key, at once. A revoked key can never be used again.")

    @Argument(help: "The key.")
    var key: String

    @OptionGroup var options: SourceOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).delete("keys", named: key)
        for key in try answer.list("keys") { print(KeyCommand.line(key)) }
    }
}
