import ArgumentParser

/// Finds out what is wrong with a folder.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks the data folder of a workspace, and can repair it; or examines that of an app.",
        discussion: """
            `tributary doctor FOLDER` is short for `tributary doctor data FOLDER`. Write ./client for a data folder of \
            that name.
            """,
        subcommands: [DataDoctorCommand.self, ClientDoctorCommand.self], defaultSubcommand: DataDoctorCommand.self)
}
