import ArgumentParser

/// Shows the versions of the function of a source.
struct SourceFunctionVersions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions",
        abstract: "Shows the versions of the function of a source, newest first, or the code of one.",
        discussion: """
            Each change of the code or the settings makes a version. The newest 50 are kept. Secrets are not part of a version.
            """)

    @OptionGroup var options: SourceOptions

    @OptionGroup var versions: FunctionVersionsOptions

    func run() async throws { try await versions.run(AdministrationClient(options), "function/versions") }
}
