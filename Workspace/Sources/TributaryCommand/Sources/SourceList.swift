import ArgumentParser
import TributaryJSON

/// Lists the sources of a workspace.
struct SourceList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows the sources, oldest first.")

    @OptionGroup var options: ServerOptions

    @OptionGroup var list: ListOptions

    func run() async throws {
        try list.show(try await AdministrationClient(options).get("api/sources"), "sources", line: Self.line)
    }

    private static func line(_ source: JSON) -> String {
        let keys = source["keys"]?.elements?.count { $0["revokedAt"]?.isNull == true } ?? 0
        let rules = source["filters"]?.intValue ?? 0
        let plugins = source["livePlugins"]?.intValue.map { "live plugins version \($0)" } ?? "no live plugins"
        let parts = [
            source["writeKey"]?.stringValue ?? "?", (source["name"]?.stringValue ?? "?").printable,
            "made \(source["createdAt"]?.stringValue ?? "?"), \(keys) valid \(keys == 1 ? "key" : "keys"), "
                + "\(rules) \(rules == 1 ? "filter" : "filters"), \(plugins)",
        ]
        return parts.joined(separator: "  ")
    }
}
