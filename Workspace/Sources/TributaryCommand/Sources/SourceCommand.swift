import ArgumentParser

/// The sources of a workspace.
struct SourceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "source",
        abstract: "Lists, adds, renames and removes the sources of a workspace, and has their functions.",
        discussion: "A source is an origin of events, such as an app. Its name can change; its write key stays.",
        subcommands: [
            SourceList.self, SourceAdd.self, SourceRename.self, SourceRemove.self, SourceFunctionCommand.self,
        ])
}
