import WorkspaceCore

/// A part of the users, by the digests of their ids: the same users each time, and those of a smaller part are in a larger one.
struct PartitionShare: Sendable, Equatable {
    /// How many of a hundred users are in it.
    let percentage: Int

    init(percentage: Int) { self.percentage = percentage }

    func contains(_ partition: ForwardedEvent.Partition) -> Bool {
        let number = partition.digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return number % 100 < UInt64(clamping: percentage)
    }
}
