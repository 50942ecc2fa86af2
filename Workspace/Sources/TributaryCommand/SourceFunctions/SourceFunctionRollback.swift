import ArgumentParser

/// Stores an older version of the function of a source again.
struct SourceFunctionRollback: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Stores an older version of the function of a source again, as a new version.",
        discussion: "The version has its code and its settings. The address and the secrets stay as they are.")

    @OptionGroup var options: SourceOptions

    @OptionGroup var rollback: FunctionRollbackOptions

    func run() async throws { try await rollback.run(AdministrationClient(options), "function/rollback") }
}
