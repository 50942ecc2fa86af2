import ArgumentParser

/// Shows the changes that a folder would make.
struct ConfigDiff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Shows what applying a folder would change.",
        discussion: "Exits with 0 when nothing would change, and with 3 otherwise.")

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
