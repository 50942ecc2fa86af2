/// Decides whether a replica has every block that its table had when the client began to ask. A pure value.
///
/// A replica copies the log of its table into a queue of its own, and fetches what the queue names in any order. So it
/// has the blocks when it has copied the log up to its end at the first look, and has fetched all blocks that its queue
/// named at that moment. Later blocks do not matter, so the waiting also ends while others insert.
struct ReplicaBlocks: Sendable {
    /// The last entry of the log at the first look; nil before it.
    private var last: UInt64?
    /// Entries that the queue named when the log was copied up to `last`, and that are still in it; nil until then.
    private var missing: Set<String>?

    /// - Parameters:
    ///   - last: the last entry of the log; 0 when it is empty, or has only that one.
    ///   - next: the entry that the replica copies next.
    ///   - fetches: the names of the entries of its queue that are blocks, asked after `next`.
    /// - Returns: whether nothing is missing.
    mutating func look(last: UInt64, next: UInt64, fetches: Set<String>) -> Bool {
        let end = self.last ?? last
        self.last = end
        // The server checks the newest block by itself, so a single block cannot be missing.
        guard next > end || end == 0 else { return false }
        let missing = missing?.intersection(fetches) ?? fetches
        self.missing = missing
        return missing.isEmpty
    }
}
