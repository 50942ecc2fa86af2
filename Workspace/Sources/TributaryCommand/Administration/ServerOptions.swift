import ArgumentParser
import Foundation

/// The workspace that a command uses.
struct ServerOptions: ParsableArguments {
    static let variable = "TRIBUTARY_SERVER"

    /// The address from the environment, else of this machine.
    static var usual: String {
        let named = ProcessInfo.processInfo.environment[variable] ?? ""
        return named.isEmpty ? "http://127.0.0.1:8484" : named
    }

    @Option(help: "Address of the workspace; without it, TRIBUTARY_SERVER in the environment.")
    var server = ServerOptions.usual

    @Option(
        help: "File with a token; without it, TRIBUTARY_ADMIN_TOKEN in the environment.",
        completion: .file())
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "PEM file with certificates to trust, such as development-certificate.pem in the data folder.",
            discussion: "Without it, the certificates of the system, or of SSL_CERT_FILE in the environment."),
        completion: .file())
    var certificateAuthority: String?
}
