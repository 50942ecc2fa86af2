import ArgumentParser
import WorkspaceServer

/// Makes a backup of a data folder.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies a data folder, also while its workspace runs.",
        discussion: """
            The backup is a folder of its own. It holds everything that was acknowledged before it was begun, and is \
            there as a whole or not at all. `tributary restore` makes a data folder of it.
            """)

    @Argument(help: "Data folder.", completion: .directory)
    var data: String

    @Argument(help: "Folder to make; it must not be there, or be empty.", completion: .directory)
    var backup: String

    func run() throws {
        try DataFailure.told {
            let summary = try WorkspaceBackup.make(of: data, at: backup)
            print(
                "backup of \(summary.days) days, \(summary.waitingRequests) requests that wait, "
                    + "\(summary.bytes.grouped) bytes, in \(backup)")
        }
    }
}

/// Makes a data folder of a backup.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Makes a data folder of a backup.",
        discussion: """
            Every file is compared with what it was when the backup was made. A data folder that is there already is left \
            alone: stop its workspace and move it away before.
            """)

    @Argument(help: "Backup.", completion: .directory)
    var backup: String

    @Argument(help: "Data folder to make; it must not be there, or be empty.", completion: .directory)
    var data: String

    func run() throws {
        try DataFailure.told {
            let summary = try WorkspaceBackup.restore(backup, to: data)
            print(
                "restored \(summary.days) days, \(summary.waitingRequests) requests that wait, to \(data); "
                    + "start it with `tributary serve --data \(data)`")
        }
    }
}

/// Tells failures of data folders as commands do.
enum DataFailure {
    static func told(_ work: () throws -> Void) throws {
        do {
            try work()
        } catch let error as WorkspaceError {
            throw Failure(error.description)
        }
    }
}
