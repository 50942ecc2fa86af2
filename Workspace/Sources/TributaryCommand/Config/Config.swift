import ArgumentParser

/// The decisions of a workspace as files.
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes sources, settings, filters and live plugins to files, and back.",
        discussion: """
            A folder holds all of it, for review and version control. Settings of destinations are in it as they are, \
            secrets included.
            """,
        subcommands: [ConfigExport.self, ConfigDiff.self, ConfigApply.self])
}
