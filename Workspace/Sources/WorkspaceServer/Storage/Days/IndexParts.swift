/// Parts of the indexes of a day, in the order of a query.
struct IndexParts: Sendable, Equatable {
    let first: Int64
    let last: Int64
    let step: Int64

    init?(_ lowest: Int64, _ highest: Int64, _ order: EventQuery.Order) {
        guard lowest <= highest else { return nil }
        (first, last, step) = order == .ascending ? (lowest, highest, 1) : (highest, lowest, -1)
    }

    private init(first: Int64, last: Int64, step: Int64) { (self.first, self.last, self.step) = (first, last, step) }

    /// The first of them, and those that come after these; nil when there are no more.
    /// - Parameter count: how many are the first; at least one.
    func split(after count: Int64) -> (first: IndexParts, rest: IndexParts?) {
        guard abs(last - first) >= count else { return (self, nil) }
        return (
            IndexParts(first: first, last: first + (count - 1) * step, step: step),
            IndexParts(first: first + count * step, last: last, step: step)
        )
    }
}
