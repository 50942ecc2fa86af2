import ArgumentParser
import ProgramSupport
import WorkspaceCore
import WorkspaceServer

/// Makes a backup of a data folder.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies a data folder, also while its workspace runs.",
        discussion: """
            Exits with 1 when days are missing in the data folder, and names them; the backup has all other days. \
            The backup is a separate folder. It contains everything that was acknowledged before it began. It is \
            complete or it does not exist. `tributary restore` makes a data folder from it. With --base, unchanged \
            days are taken from an earlier backup; both are complete, and each can be deleted without the other.
            """)

    @Argument(help: "Data folder.", completion: .directory)
    var data: String

    @Argument(help: "Folder to make; it must be missing or empty.", completion: .directory)
    var backup: String

    @Option(help: "An earlier backup of the same folder, on the same disk.", completion: .directory)
    var base: String?

    func run() throws {
        try DataFailure.translated {
            let summary = try WorkspaceBackup.make(of: data, at: backup, base: base) { done, days in
                Waiting.show("\(done) of \(days) days are copied", share: Double(done) / Double(max(days, 1)))
            }
            Waiting.finish()
            print(
                "backup of \(summary.days) days, \(summary.waitingRequests) requests that wait, "
                    + "\(summary.bytes.grouped) bytes, in \(backup)")
            guard !summary.missingDays.isEmpty else { return }
            Console.error(
                "the backup lacks days that the workspace did not delete, because their files are gone "
                    + "(\(summary.missingDays.joined(separator: ", "))); see `tributary doctor \(data)`")
            throw ExitCode(1)
        }
    }
}
