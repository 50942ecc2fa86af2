import ArgumentParser
import TributaryJSON
import WorkspaceCore

/// Stores an older version of the function of a source again.
struct SourceFunctionRollback: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Stores an older version of the function of a source again, as a new version.",
        discussion: "The version has its code and its settings. The address and the secrets stay as they are.")

    @OptionGroup var options: SourceOptions

    @Option(
        name: [.customLong("to"), .customLong("version")],
        help: "The version; by default the newest one that differs from the current one.")
    var to: Int?

    func run() async throws {
        let body: JSON = to.map { ["version": .number($0)] } ?? [:]
        let answer = try await AdministrationClient(options).send("POST", "function/rollback", body)
        print(try FunctionVersionText.rolledBack(answer))
    }
}
