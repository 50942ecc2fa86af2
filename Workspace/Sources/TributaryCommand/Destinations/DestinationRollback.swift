import ArgumentParser
import TributaryJSON
import WorkspaceCore

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

    @Option(
        name: [.customLong("to"), .customLong("version")],
        help: "The version; by default the newest one that differs from the current one.")
    var to: Int?

    func run() async throws {
        let body: JSON = to.map { ["version": .number($0)] } ?? [:]
        print(try FunctionVersionText.rolledBack(try await options.client().send("POST", "rollback", body)))
    }
}
