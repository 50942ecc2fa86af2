import ArgumentParser
import Foundation

/// The command line of the demo.
@main
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tributary-demo",
        abstract:
            "Runs a workspace and a shop that sends events to it, deploys scripts meanwhile, and counts all events."
    )

    @Flag(help: "Stop everything at the end instead of leaving the workspace up.")
    var once = false

    @Option(
        help: ArgumentHelp(
            "Recorded events to play instead of visits, one on each line, plain or gzip.", valueName: "file"))
    var events: String?

    @Option(help: "The workspace's port; 0 lets the system choose.")
    var port = 0

    @Option(help: ArgumentHelp("Events a second (default: 400 for visits, 700 for recorded events).", valueName: "n"))
    var speed: Double?

    @Option(
        help: ArgumentHelp(
            "A workspace that runs already, such as a cluster; TRIBUTARY_ADMIN_TOKEN has its token.", valueName: "url"))
    var workspace: String?

    @Flag(inversion: .prefixedNo, help: "Show also how a broken version is taken back.")
    var rollout = true

    @Flag(help: "Keep the workspace's data at the end.")
    var keep = false

    @Option(
        help: ArgumentHelp("The repository (default: the one that this program was built in).", valueName: "folder"))
    var repository: String?

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port is a number from 0 to 65535.") }
        if workspace != nil, port != 0 { throw ValidationError("--port is of a workspace that the demo starts.") }
        if let speed, !(speed > 0 && speed.isFinite) { throw ValidationError("--speed is a number above 0.") }
    }

    func run() async throws {
        let terminal = Terminal()
        do {
            let plan = try DemoPlan(
                programFolder: ProgramFolder.current, repository: repository, events: events, speed: speed, port: port,
                workspace: workspace, token: ProcessInfo.processInfo.environment["TRIBUTARY_ADMIN_TOKEN"],
                hasRollout: rollout)
            let ending = DemoEnding(isOnce: once, isTerminal: terminal.isInteractive)
            try await DemoRun(plan: plan, terminal: terminal, ending: ending, keepsData: keep).run()
        } catch let error as DemoError {
            terminal.fail(error)
            throw ExitCode.failure
        }
    }
}
