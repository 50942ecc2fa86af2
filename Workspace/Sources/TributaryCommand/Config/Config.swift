import ArgumentParser

/// The configuration of a workspace as files.
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes sources, settings, filters, live plugins and destinations to files, and back.",
        discussion: """
            The folder is for review and version control. It contains the settings of destinations unchanged, with \
            their passwords and keys. It does not contain the secrets with which the workspace signs.
            """,
        subcommands: [ConfigExport.self, ConfigDiff.self, ConfigApply.self])
}
