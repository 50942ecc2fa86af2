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
        abstract: "Replaces the admin token and prints the new one.",
        discussion: "Stop the workspace first. The old token is not valid any more afterwards.")

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
