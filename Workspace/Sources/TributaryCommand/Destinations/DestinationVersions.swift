import ArgumentParser

/// Shows the versions of a destination function.
struct DestinationVersions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions",
        abstract: "Shows the versions of the function of a destination, newest first, or the code of one.",
        discussion: """
            Each change of the code or the settings of a function makes a version. The newest 50 are kept. Secrets are not part \
            of a version.

              tributary destination versions Orders
              tributary destination versions Orders --show 2 > function.js
            """)

    @OptionGroup var options: DestinationOptions

    @OptionGroup var versions: FunctionVersionsOptions

    func run() async throws { try await versions.run(options.client(), "versions") }
}
