import ArgumentParser

/// The command line of a workspace.
@main
struct TributaryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tributary",
        abstract: "Runs a workspace and deploys live plugins and filters to it.",
        subcommands: [
            Serve.self, Plugin.self, SignalsCommand.self, Filter.self, Config.self, Audit.self, Token.self,
            BackupCommand.self, RestoreCommand.self, DoctorCommand.self, EraseCommand.self,
        ])
}
