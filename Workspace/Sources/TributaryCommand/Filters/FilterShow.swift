import ArgumentParser

/// Shows deployed rules.
struct FilterShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints the filter rules of a source as JSON.",
        discussion: "Without a version, these are the rules for all devices.")

    @Argument(help: "The version; by default the one for all devices.")
    var version: Int?

    @OptionGroup var options: SourceOptions

    func run() async throws { print(try await DeployedRules(options).text(of: version)) }
}
