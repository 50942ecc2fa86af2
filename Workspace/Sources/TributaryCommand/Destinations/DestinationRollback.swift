import ArgumentParser

/// Stores an older version of a destination function again.
struct DestinationRollback: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Stores an older version of the function of a destination again, as a new version.",
        discussion: """
            The version has its code and its settings. Secrets stay as they are. `destination try --version N --compare` shows \
            before what it would send differently.
            """)

    @OptionGroup var options: DestinationOptions

    @OptionGroup var rollback: FunctionRollbackOptions

    func run() async throws { try await rollback.run(options.client(), "rollback") }
}
