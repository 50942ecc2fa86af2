import ArgumentParser
import TributaryPluginTestKit

/// Shows in which lines two deployed bundles differ.
struct PluginDiff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Shows the lines in which two versions of the live plugins differ.",
        discussion: "Lines of the first version have a -, lines of the second one a +.")

    @Argument(help: "The first version.")
    var version: Int

    @Argument(help: "The second version; by default the newest.")
    var other: Int?

    @OptionGroup var options: SourceOptions

    func run() async throws {
        let bundles = try await DeployedBundles(options)
        let other = try other ?? bundles.requireNewest()
        let (before, after) = (try await bundles.text(of: version), try await bundles.text(of: other))
        guard before != after else { return print("versions \(version) and \(other) have the same text") }
        let tables = TableComparison(from: DeployedBundles.tables(of: before), to: DeployedBundles.tables(of: after))
        for (word, names) in [("removes", tables.removed), ("adds", tables.added), ("changes", tables.changed)] {
            for name in names { print("\(word) \(name)") }
        }
        let difference = LineDifference(ScriptTables.code(of: before), ScriptTables.code(of: after))
        for line in difference.text(.output) { print(line) }
    }
}
