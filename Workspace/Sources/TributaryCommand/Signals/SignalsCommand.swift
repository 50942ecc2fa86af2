import ArgumentParser

/// Commands for signals.
struct SignalsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signals",
        abstract: "Tests generators on recorded signals.",
        subcommands: [SignalsReplay.self])
}
