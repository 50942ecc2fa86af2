import ArgumentParser
import ProgramSupport
import WorkspaceCore
import WorkspaceServer

/// Makes a data folder from a backup.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Makes a data folder of a backup.",
        discussion: """
            The command checks every file of the backup. It does not change an existing data folder: stop its \
            workspace and move it away first.
            """)

    @Argument(help: "Backup.", completion: .directory)
    var backup: String

    @Argument(help: "Data folder to make; it must be missing or empty.", completion: .directory)
    var data: String

    func run() throws {
        try DataFailure.translated {
            let summary = try WorkspaceBackup.restore(backup, to: data) { done, files in
                Waiting.show("\(done) of \(files) files are copied", share: Double(done) / Double(max(files, 1)))
            }
            Waiting.finish()
            print(
                "restored \(summary.days) days, \(summary.waitingRequests) requests that wait, to \(data); "
                    + "start it with `tributary serve --data \(data)`")
        }
    }
}
