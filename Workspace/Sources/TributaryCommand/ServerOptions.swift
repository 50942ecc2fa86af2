import ArgumentParser

/// Which workspace a command speaks to.
struct ServerOptions: ParsableArguments {
    @Option(help: "Address of the workspace.")
    var server = "http://127.0.0.1:8484"

    @Option(help: "Write key of the source.")
    var writeKey: String
}
