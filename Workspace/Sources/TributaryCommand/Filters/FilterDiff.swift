import ArgumentParser

/// Shows in which lines two deployed sets of rules differ.
struct FilterDiff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Shows the lines in which two versions of the filters differ.",
        discussion: "Lines of the first version have a -, lines of the second one a +. Version 0 has no rules.")

    @Argument(help: "The first version.")
    var version: Int

    @Argument(help: "The second version; by default the one for all devices.")
    var other: Int?

    @OptionGroup var options: SourceOptions

    func run() async throws {
        let rules = try DeployedRules(options)
        let difference = LineDifference(try await rules.text(of: version), try await rules.text(of: other))
        if difference.count == 0 {
            return print(
                "version \(version) and \(other.map { "version \($0)" } ?? "the deployed one") have the same rules")
        }
        for line in difference.text(.output) { print(line) }
    }
}
