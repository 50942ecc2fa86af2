import ArgumentParser

/// Which workspace a command speaks to.
struct ServerOptions: ParsableArguments {
    @Option(help: "Address of the workspace.")
    var server = "http://127.0.0.1:8484"

    @Option(
        help: "File with the admin token; without it, TRIBUTARY_ADMIN_TOKEN in the environment.",
        completion: .file())
    var tokenFile: String?
}
