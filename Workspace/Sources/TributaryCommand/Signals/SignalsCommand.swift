import ArgumentParser

/// Commands for signals.
struct SignalsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signals",
        abstract: "Tries generators of events on recorded signals.",
        subcommands: [SignalsReplay.self])
}
