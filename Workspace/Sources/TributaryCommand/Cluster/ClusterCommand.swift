import ArgumentParser

/// Looks at a cluster.
struct ClusterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster", abstract: "Checks, fills and shows a workspace of several nodes.",
        subcommands: [ClusterStatus.self, ClusterCheck.self, ClusterImportCommand.self])
}
