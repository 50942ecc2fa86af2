import ArgumentParser
import TributaryJSON

/// Shows what was deployed.
struct PluginList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows the versions of the live plugins of a source, newest first.")

    @OptionGroup var options: SourceOptions

    @OptionGroup var list: ListOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).get("live-plugins")
        try list.show(answer, "versions", empty: "no live plugins are deployed") { version in
            Self.line(version, isCurrent: version["version"] == answer["current"])
        }
    }

    private static func line(_ version: JSON, isCurrent: Bool) -> String {
        let number = version["version"]?.intValue ?? 0
        let bytes = version["bytes"]?.intValue ?? 0
        let what =
            bytes == 0 ? "switched off" : "\(bytes.grouped) bytes, sha256 \(version["sha256"]?.stringValue ?? "?")"
        let signed = version["signed"] == true ? ", signed" : ""
        let percentage = version["percentage"]?.intValue ?? 100
        let share = percentage == 0 ? ", as a shadow" : percentage < 100 ? ", for \(percentage) % of devices" : ""
        let text =
            "version \(number), \(version["deployedAt"]?.stringValue ?? "?"), \(what)\(signed)\(share)\(bytes == 0 ? "" : PluginWhere(version).note)"
        return isCurrent ? OutputStyle.output.bold("\(text), current") : text
    }
}
