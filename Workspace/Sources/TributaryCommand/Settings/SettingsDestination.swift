import ArgumentParser

/// Settings of destinations that run in the app.
struct SettingsDestination: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "destination", abstract: "Switches destinations in the app on and off, with their settings.",
        discussion: """
            A destination in the app (device mode) is a plugin that the app added. It gets events when the settings of \
            its source name it. For destinations of the workspace itself, see `tributary destination`.
            """,
        subcommands: [SettingsDestinationSet.self, SettingsDestinationList.self, SettingsDestinationRemove.self])
}
