import ArgumentParser
import TributaryJSON

/// Shows which rules were deployed.
struct FilterList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows the versions of the filters of a source, newest first.")

    @OptionGroup var options: SourceOptions

    @OptionGroup var list: ListOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).get("filters/versions")
        try list.show(answer, "versions", empty: "no filters were deployed") { version in
            Self.line(version, isCurrent: version["version"] == answer["current"])
        }
    }

    private static func line(_ version: JSON, isCurrent: Bool) -> String {
        let number = version["version"]?.intValue ?? 0
        let rules = version["rules"]?.intValue ?? 0
        let percentage = version["percentage"]?.intValue ?? 100
        let share = percentage < 100 ? ", for \(percentage) % of devices" : ""
        let text =
            "version \(number), \(version["deployedAt"]?.stringValue ?? "?"), \(rules) \(rules == 1 ? "rule" : "rules")"
            + ", sha256 \(version["sha256"]?.stringValue ?? "?")\(share)"
        return isCurrent ? OutputStyle.output.bold("\(text), current") : text
    }
}
