import ArgumentParser

/// The settings of a source, as apps get them.
struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Changes the settings that apps fetch.",
        subcommands: [SettingsDestination.self])
}

/// Settings of destinations that run in the app.
struct SettingsDestination: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "destination", abstract: "Switches destinations in the app on and off, with their settings.",
        discussion: """
            A destination in the app (device mode) is a plugin that the app added. It gets events when the settings of \
            its source name it. Where the workspace itself sends events to is `tributary destination`.
            """,
        subcommands: [SettingsDestinationSet.self, SettingsDestinationList.self, SettingsDestinationRemove.self])
}

/// A setting as it is written on a command line: `name=value`.
struct SettingsValue: ExpressibleByArgument {
    let name: String
    let text: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        (name, text) = (String(parts[0]), String(parts[1]))
    }
}
