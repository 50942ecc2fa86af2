import ArgumentParser

/// The settings of a source, as apps get them.
struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Changes the settings that apps fetch.",
        subcommands: [SettingsDestination.self])
}
