import ArgumentParser
import Foundation
import ProgramSupport
import WorkspaceCore
import WorkspaceServer

/// The command line of a workspace.
@main
struct TributaryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tributary",
        abstract: "Runs and inspects a workspace, and deploys live plugins and filters to it.",
        discussion: "`tributary --version` shows the version of the program.",
        subcommands: [
            Serve.self, InitCommand.self, EventsCommand.self, Catalog.self, BreakdownCommand.self, FunnelCommand.self,
            RetentionCommand.self,
            SQLCommand.self, SQLWorker.self,
            PeopleCommand.self, ViewCommand.self,
            PlanCommand.self,
            Tail.self, Trace.self, Export.self, Import.self,
            WaitForEvent.self, RejectedCommand.self, StatsCommand.self, OverviewCommand.self, LedgerCommand.self,
            Reset.self,
            Plugin.self, LogCommand.self, StopCommand.self, SignalsCommand.self, Filter.self, DestinationCommand.self,
            SettingsCommand.self, Config.self,
            SourceCommand.self, KeyCommand.self, PolicyCommand.self, Audit.self, AlertCommand.self, TokenCommand.self,
            BackupCommand.self,
            RestoreCommand.self, DoctorCommand.self, InspectCommand.self, UpgradeCommand.self, EraseCommand.self,
            SuppressCommand.self,
            ConsentCommand.self, ClusterCommand.self, AssistantCommand.self,
        ])

    /// `--version` shows the version of the program only as the first word. A `version` in the configuration would also
    /// catch `plugin rollback --version 3`.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "--version" { return print(Workspace.version) }
        if let unknown = UnknownSubcommand(in: arguments, of: Self.self) {
            unknown.command.exit(withError: ValidationError(unknown.message))
        }
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            Waiting.finish()
        } catch {
            Waiting.finish()
            exit(withError: ErrorReason.known(error).map { Failure($0) } ?? error)
        }
        // What was printed may still be in memory, and a full disk refuses it only now.
        guard fflush(nil) == 0 else {
            exit(withError: Failure("the output cannot be written: \(SystemReason.text(code: errno))"))
        }
    }
}
