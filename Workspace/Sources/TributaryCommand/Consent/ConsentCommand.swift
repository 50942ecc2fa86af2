import ArgumentParser

/// Commands about what users allowed.
struct ConsentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consent", abstract: "Shows the consent of users, and which destinations got their events.",
        subcommands: [ConsentShow.self])
}
