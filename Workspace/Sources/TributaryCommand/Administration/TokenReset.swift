import ArgumentParser
import WorkspaceCore
import WorkspaceServer

/// Replaces the admin token of a workspace that does not run.
struct TokenReset: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Replaces the admin token and prints the new one.",
        discussion: """
            Stop the workspace first. The old token is not valid any more afterwards, and all logins end. Named tokens stay \
            valid: check `tributary token list` when another person may have had the admin token.
            """)

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
