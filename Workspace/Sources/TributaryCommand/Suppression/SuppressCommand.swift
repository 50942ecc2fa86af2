import ArgumentParser

/// Commands that keep users and devices out of the workspace.
struct SuppressCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suppress", abstract: "Keeps users and devices out of the workspace.",
        discussion: """
            The workspace stores no events of a suppressed user: from apps, servers, imports, or requests that \
            already wait. Stored events stay; `tributary erase` deletes them. The workspace keeps a digest of the \
            id, not the id.
            """,
        subcommands: [SuppressAdd.self, SuppressRemove.self, SuppressList.self])
}
