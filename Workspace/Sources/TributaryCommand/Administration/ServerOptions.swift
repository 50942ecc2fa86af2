import ArgumentParser

/// Which workspace a command speaks to.
struct ServerOptions: ParsableArguments {
    @Option(help: "Address of the workspace.")
    var server = "http://127.0.0.1:8484"

    @Option(
        help: "File with the admin token; without it, TRIBUTARY_ADMIN_TOKEN in the environment.",
        completion: .file())
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "PEM file with certificates to trust, such as development-certificate.pem in the data folder.",
            discussion: "Without it, those of the system, or of SSL_CERT_FILE in the environment."),
        completion: .file())
    var certificateAuthority: String?
}
