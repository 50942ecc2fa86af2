import ArgumentParser

/// Which source of which workspace a command speaks about.
struct SourceOptions: ParsableArguments {
    @OptionGroup var server: ServerOptions

    @Option(help: "Write key of the source.")
    var writeKey: String
}
