/// The most that indexing one request may cost, so that a short request cannot keep the indexer busy for long.
///
/// The cost is counted in bytes of text and not in time. So a repetition after a crash, and every node of a cluster, reject
/// the same items.
struct IndexingBudget: Equatable {
    private(set) var left: Int

    /// - Parameter bytes: those of the body, inflated.
    init(bytes: Int) { left = Limits.costOfRequest + bytes * Limits.costOfByte }

    /// Whether another item may be read.
    var allowsMore: Bool { left > 0 }

    /// Takes the cost of an item.
    /// - Parameters:
    ///   - bytes: those of its text as it is stored.
    ///   - users: how many users its batch names for it. Each is looked for in the list of suppressed users.
    mutating func take(_ bytes: Int, users: Int = 0) { left -= Limits.costOfItem + bytes + users * Limits.costOfUser }
}
