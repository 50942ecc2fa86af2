import ArgumentParser

/// The decisions of a workspace as files.
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes sources, settings, filters, live plugins and destinations to files, and back.",
        discussion: """
            A folder holds all of it, for review and version control. Settings of destinations are in it as they are, \
            with passwords and keys that stand in them. The secrets with which the workspace signs are not in it.
            """,
        subcommands: [ConfigExport.self, ConfigDiff.self, ConfigApply.self])
}
