import ArgumentParser
import Foundation

/// Writes the configuration of a new workspace.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Sets up a workspace: asks some questions, and writes server.json and an admin token.",
        discussion: """
            At a terminal it asks for each value that no option gives. Then it writes two files that only you can read, \
            and shows how to start the workspace, how to send a first event, and the lines for an app. It starts \
            nothing, and makes nothing in the data folder. With --yes it asks nothing; without a terminal it needs that.
            """)

    @Option(help: "The file to write.", completion: .file(extensions: ["json"]))
    var config = "server.json"

    @Option(help: "Folder of the data; tributary-data unless given.", completion: .directory)
    var data: String?

    @Option(help: "Address to listen on; 127.0.0.1 unless given, which only this machine can reach.")
    var host: String?

    @Option(help: "Port to listen on; 8484 unless given.")
    var port: String?

    @Option(help: "How clients connect: no (plain http), development, or certificate; no unless given.")
    var https: HTTPSChoice?

    @Option(help: "With --https certificate: PEM file with the certificate and its chain.", completion: .file())
    var tlsCertificate: String?

    @Option(help: "With --https certificate: PEM file with the key of that certificate.", completion: .file())
    var tlsKey: String?

    @Option(help: "How many days events are kept, besides today; 90 unless given; 0 keeps all.")
    var retainDays: String?

    @Flag(help: "Ask nothing: take the options, and the usual value where there is none.")
    var yes = false

    @Flag(help: "Write nothing; show what would be written.")
    var dryRun = false

    @OptionGroup var overwrite: OverwriteOptions

    func validate() throws {
        guard https == .certificate || (tlsCertificate == nil && tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key go with --https certificate")
        }
    }

    func run() async throws {
        guard yes || dryRun || isatty(STDIN_FILENO) == 1 else {
            throw Failure("nothing was written: there is no terminal to ask at; add --yes to take the options")
        }
        let asks = !yes && isatty(STDIN_FILENO) == 1
        let wizard = SetupWizard(ask: asks ? { Question.answer($0) } : nil)
        let setup = try await wizard.setup(
            data: data, host: host, port: port, https: https, certificate: tlsCertificate, key: tlsKey,
            retainDays: retainDays)
        let files = try SetupFiles(setup, config: config)
        if dryRun { return print(files.plan) }
        try overwrite.confirm(files.existing)
        try files.write()
        print(files.report)
    }
}
