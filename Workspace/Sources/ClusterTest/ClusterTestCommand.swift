import ArgumentParser

@main struct ClusterTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster-test",
        abstract: "Kills the engines and nodes of a cluster, and looks whether it holds what it acknowledged.",
        subcommands: [DriveCommand.self, EnginesCommand.self, NodeCommand.self], defaultSubcommand: DriveCommand.self)
}

/// A mistake that the test has to find.
enum PlantedFault: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// A range is stored although it was not announced.
    case noAnnouncement = "no-announcement"
    /// Servers remember few blocks.
    case fewKnownBlocks = "few-known-blocks"
    /// An owner records its progress before the records are stored.
    case placeBeforeStore = "place-before-store"
    /// A node acknowledges records that no majority has.
    case noMajority = "no-majority"
}
