import ArgumentParser

/// Commands that keep users and devices out of the workspace.
struct SuppressCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suppress", abstract: "Keeps users and devices out of the workspace.",
        discussion: """
            Nothing is stored of a suppressed user, whichever way it comes: from apps, servers, imports, and requests that \
            wait already. What is stored stays; `tributary erase` deletes it. The workspace keeps a digest of the id, not \
            the id.
            """,
        subcommands: [SuppressAdd.self, SuppressRemove.self, SuppressList.self])
}
