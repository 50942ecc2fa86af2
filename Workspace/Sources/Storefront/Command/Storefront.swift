import ArgumentParser
import Foundation

/// The command line of the shop.
@main
struct Storefront: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storefront",
        abstract: "Plays visits to a shop through the analytics client, as an app would.",
        discussion: """
            Exit codes: 0 when the server has all events; 1 when events stay on this device (send them with the same \
            --storage and --resume); 64 for a wrong command line; 65 when a file cannot be read or has a wrong form, \
            before anything was played.
            """)

    @Option(help: ArgumentHelp("The workspace.", valueName: "url"))
    var server = "http://127.0.0.1:8484"

    @Option(help: ArgumentHelp("Host that gets the events, for other servers (default: URL/v1).", valueName: "host"))
    var apiHost: String?

    @Option(help: ArgumentHelp("Host that sends the settings, for other servers (default: URL/v1).", valueName: "host"))
    var cdnHost: String?

    @Option(help: "The source that the events belong to.")
    var writeKey = "storefront"

    @Option(help: ArgumentHelp("Visits to play (default: those of the repository).", valueName: "file"))
    var sessions: String?

    @Option(help: ArgumentHelp("Recorded events to play instead, one on each line, plain or gzip.", valueName: "file"))
    var events: String?

    @Option(help: ArgumentHelp("Events a second (default: as fast as possible).", valueName: "n"))
    var speed: Double?

    @Option(
        help: ArgumentHelp("Folder in which events wait for the server (default: a new folder).", valueName: "folder"))
    var storage: String?

    @Flag(help: "Play nothing; only send the events that wait in --storage.")
    var resume = false

    @Option(help: ArgumentHelp("How long to try to send everything at the end.", valueName: "seconds"))
    var flushTimeout = 30.0

    @Option(help: ArgumentHelp("How often to look for new settings.", valueName: "seconds"))
    var settingsInterval = 300.0

    @Flag(help: "Send nothing before settings of the workspace came once.")
    var requireSettings = false

    @Flag(inversion: .prefixedNo, help: "Report to the workspace what each stage did to each event.")
    var inspector = true

    @Option(help: ArgumentHelp("Scripts to run when none can be fetched.", valueName: "file"))
    var fallback: String?

    @Option(help: ArgumentHelp("Appends the id of each event once its call has returned.", valueName: "file"))
    var ledger: String?

    @Option(help: ArgumentHelp("Writes the counters of all events, as JSON.", valueName: "file"))
    var summary: String?

    @Flag(help: "Print counts only, no receipts.")
    var quiet = false

    @Flag(help: "Show the progress on standard error.")
    var progress = false

    func validate() throws {
        _ = try address()
        if let speed, !(speed > 0 && speed.isFinite) { throw ValidationError("--speed is a number above 0.") }
        for (name, value) in [("--flush-timeout", flushTimeout), ("--settings-interval", settingsInterval)]
        where !(0...86_400).contains(value) {
            throw ValidationError("\(name) is a number of seconds from 0 to 86400.")
        }
        if sessions != nil, events != nil { throw ValidationError("Either --sessions or --events, not both.") }
        if resume, sessions != nil || events != nil { throw ValidationError("--resume plays nothing.") }
        if resume, storage == nil { throw ValidationError("--resume needs the --storage of the earlier run.") }
        if writeKey.isEmpty { throw ValidationError("--write-key is empty.") }
    }

    func address() throws -> ServerAddress {
        do {
            return try ServerAddress(server: server, apiHost: apiHost, cdnHost: cdnHost)
        } catch {
            throw ValidationError(error.reason)
        }
    }

    func run() async throws {
        do {
            try await ShopRun(self).run()
        } catch let error as InputError {
            Console.error(error.description)
            throw ExitCode(65)
        }
    }
}
