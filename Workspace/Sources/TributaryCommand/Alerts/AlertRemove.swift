import ArgumentParser

/// Removes an alert rule.
struct AlertRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes an alert rule with the messages that wait for its webhook.")

    @Argument(help: "Its name.")
    var name: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).delete("api/alerts", named: name)
        print("removed \(try answer.text("removed").printable)")
    }
}
