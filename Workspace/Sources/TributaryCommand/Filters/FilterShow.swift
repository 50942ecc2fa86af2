import ArgumentParser
import Foundation
import TributaryJSON

/// Shows deployed rules.
struct FilterShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints the filter rules of a source as JSON.",
        discussion: "Without a version, these are the rules for all devices.")

    @Argument(help: "The version; by default the one for all devices.")
    var version: Int?

    @OptionGroup var options: SourceOptions

    func run() async throws {
        print(try await DeployedRules(options).text(of: version))
    }
}

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
            return print("version \(version) and \(other.map { "version \($0)" } ?? "the deployed one") have the same rules")
        }
        for line in difference.text(.output) { print(line) }
    }
}

/// The deployed rules of a source.
private struct DeployedRules {
    private let client: AdministrationClient

    init(_ options: SourceOptions) throws(Failure) { client = try AdministrationClient(options) }

    /// The rules of a version, one member a line; nil is the version for all devices.
    func text(of version: Int?) async throws -> String {
        if version == 0 { return "[]" }
        let query = version.map { [URLQueryItem(name: "version", value: "\($0)")] } ?? []
        return try await client.get("filters", query: query).prettyPrint()
    }
}
