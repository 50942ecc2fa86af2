import ArgumentParser
import WorkspaceServer

/// Says what is wrong with a data folder.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Says what is wrong with a data folder, and mends what can be mended.",
        discussion: """
            Looks at the folder's permissions and room, at every database from end to end, at the journal and at whether \
            they belong together. Ends with 1 when something is wrong, or was lost. With --repair, what is damaged is set aside in the \
            folder `unreadable`, and what can be read of it is saved; nothing is deleted. Stop the workspace before.
            """)

    @Argument(help: "Data folder.", completion: .directory)
    var data: String

    @Flag(help: "Mend what can be mended.")
    var repair = false

    func run() throws {
        let doctor = DataDoctor(examining: data, repairing: repair)
        for finding in doctor.findings { print("\(finding.kind.rawValue): \(finding)") }
        guard doctor.hasProblems || doctor.hasLosses else { return }
        throw ExitCode(1)
    }
}
