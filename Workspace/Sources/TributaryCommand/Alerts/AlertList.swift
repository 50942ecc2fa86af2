import ArgumentParser

/// Shows the alert rules.
struct AlertList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows the alert rules and their state.")

    @OptionGroup var options: ServerOptions

    @OptionGroup var list: ListOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).get("api/alerts")
        try list.show(answer, "rules", empty: "no rules; `tributary alert set` makes one", line: AlertCommand.line)
    }
}
