import ArgumentParser
import ProgramSupport
import WorkspaceCore
import WorkspaceServer

/// Checks and repairs the data folder of a workspace.
struct DataDoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "data",
        abstract: "Checks the data folder of a workspace, and can repair it.",
        discussion: """
            Checks the folder's permissions and free room, every database from end to end, the journal, and whether \
            they belong together. Exits with 1 when something is wrong or was lost. With --repair it moves damaged \
            files to the folder `unreadable` and saves the rows that can be read; it deletes nothing. Stop the \
            workspace first.
            """)

    @Argument(help: "Data folder.", completion: .directory)
    var data: String

    @Flag(help: "Repair the folder.")
    var repair = false

    @Flag(help: "Check only whether the files can be opened and belong together; takes seconds.")
    var quick = false

    func validate() throws {
        guard !repair || !quick else {
            throw ValidationError("--repair checks everything, so --quick cannot be given")
        }
    }

    func run() throws {
        let doctor = DataDoctor(examining: data, repairing: repair, quick: quick, progress: { Waiting.show($0) })
        Waiting.finish()
        for finding in doctor.findings { print("\(finding.kind.rawValue): \(finding)") }
        guard doctor.hasProblems || doctor.hasLosses else { return }
        throw ExitCode(1)
    }
}
