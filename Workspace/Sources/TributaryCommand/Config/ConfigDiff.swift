import ArgumentParser

/// What a folder would change.
struct ConfigDiff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Shows what applying a folder would change.",
        discussion: "Ends with 0 when nothing would change, with 3 when something would.")

    @Argument(help: "The folder.", completion: .directory)
    var folder: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let plan = try await ConfigPlan(
            from: WorkspaceConfig(of: AdministrationClient(options)), to: WorkspaceConfig(folder: folder))
        plan.show()
        if !plan.steps.isEmpty { throw ExitCode(3) }
    }
}
