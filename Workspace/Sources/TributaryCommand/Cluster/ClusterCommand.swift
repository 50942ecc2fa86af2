import ArgumentParser

/// Looks at a cluster.
struct ClusterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster", abstract: "Looks at a workspace of several nodes.", subcommands: [ClusterStatus.self])
}
