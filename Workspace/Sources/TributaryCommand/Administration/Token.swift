import ArgumentParser
import WorkspaceServer

/// The secret of the administration.
struct Token: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Manages the admin token of a workspace.", subcommands: [TokenReset.self])
}

/// Replaces the token of a workspace that does not run.
struct TokenReset: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Makes another admin token, and prints it.",
        discussion: "Stop the workspace before. The token that it had is worth nothing afterwards.")

    @Option(help: "Folder of the database.")
    var data = "tributary-data"

    func run() throws {
        guard InputFile.isFolder(data) else { throw Failure("there is no data folder \(data)") }
        do {
            print(try Workspace.resetAdminToken(dataFolder: data))
        } catch let error as WorkspaceError {
            throw Failure(error.description)
        }
    }
}
