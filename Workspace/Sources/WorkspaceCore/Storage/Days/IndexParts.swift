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

    /// The parts after one of them; nil when there is none.
    func behind(_ part: Int64) -> IndexParts? {
        part == last ? nil : IndexParts(first: part + step, last: last, step: step)
    }
}
