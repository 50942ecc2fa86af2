import ArgumentParser

/// The source that a command is about, and its workspace.
struct SourceOptions: ParsableArguments {
    @OptionGroup var server: ServerOptions

    @Option(help: "Write key of the source.")
    var writeKey: String
}
