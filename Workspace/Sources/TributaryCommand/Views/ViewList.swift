import ArgumentParser

/// Shows the saved questions.
struct ViewList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows the saved questions, with the paths of their addresses.")

    @OptionGroup var options: ServerOptions

    @OptionGroup var list: ListOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).get("api/views")
        try list.show(
            answer, "views", empty: "no saved questions; `tributary view save` makes one", line: ViewCommand.line)
    }
}
