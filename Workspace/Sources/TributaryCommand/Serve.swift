import ArgumentParser
import Foundation
import Logging
import WorkspaceServer

/// Runs the server until a signal comes.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Runs a workspace.")

    @Option(help: "Address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "Port to listen on; 0 lets the system choose.")
    var port = 8484

    @Option(help: "Folder of the database; made when it is missing.")
    var data = "tributary-data"

    @Option(help: "Source that must exist; made when it is missing. May be repeated.")
    var writeKey: [String] = []

    @Option(
        help: ArgumentHelp(
            "File with the admin token that the workspace shall have.",
            discussion: """
                Without it, TRIBUTARY_ADMIN_TOKEN in the environment. Without both, the workspace makes one at its \
                first start, prints it once, and keeps its digest.
                """),
        completion: .file())
    var adminTokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Name under which the page and the administration answer. May be repeated.",
            discussion: "Addresses, localhost and the host need not be named."))
    var allowedHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "How many days events are kept, besides today; 0 keeps all.",
            discussion: "Without it, TRIBUTARY_RETAIN_DAYS in the environment. Without both, 90."))
    var retainDays: Int?

    @Flag(help: "Log every request error and more to the standard error output.")
    var verbose = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("the port is a number from 0 to 65535") }
    }

    func run() async throws {
        do {
            let configuration = try configuration()
            let announcement = Announcement()
            let workspace = try Workspace(configuration) { address in
                await announcement.listening(address)
            }
            await announcement.opened(workspace)
            try await workspace.run()
        } catch let error as WorkspaceError {
            throw Failure(error.description)
        }
    }

    private func configuration() throws(Failure) -> WorkspaceConfiguration {
        var logger = Logger(label: "tributary") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = verbose ? .debug : .warning
        return WorkspaceConfiguration(
            host: host, port: port, dataFolder: data, writeKeys: writeKey,
            adminToken: try TokenSource.token(file: adminTokenFile), allowedHosts: allowedHost, handlesSignals: true,
            logger: logger, retainDays: try RetainDays.of(retainDays))
    }
}
