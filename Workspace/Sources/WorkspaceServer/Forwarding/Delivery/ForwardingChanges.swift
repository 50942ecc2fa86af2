/// What came of some attempts, to be noted in one transaction.
struct ForwardingChanges: Sendable, Equatable {
    /// Up to there every event is dealt with, or in the list of those that wait.
    var position: Int64 = 0
    /// Rows that are new or changed.
    var kept: [Int64: Undelivered] = [:]
    /// Rows that are not needed any more, if they are there.
    var removed: Set<Int64> = []
    var delivered = 0
    var skipped = 0
    var lastDeliveredAt: Int64?
    /// Attempts that failed, and events that were given up, for the metrics.
    var failures = 0
    var dead = 0

    var isEmpty: Bool { self == ForwardingChanges(position: position) }

    /// What the metrics count.
    var outcomes: KeyValuePairs<String, Int> {
        ["delivered": delivered, "skipped": skipped, "failed": failures, "dead": dead]
    }

    /// What comes of these and then of those; the position is that of those.
    func followed(by later: ForwardingChanges) -> ForwardingChanges {
        var both = self
        for event in later.kept.values { both.keep(event) }
        for sequence in later.removed { both.remove(sequence) }
        both.position = later.position
        both.delivered += later.delivered
        both.skipped += later.skipped
        both.failures += later.failures
        both.dead += later.dead
        both.lastDeliveredAt = later.lastDeliveredAt ?? lastDeliveredAt
        return both
    }

    mutating func keep(_ event: Undelivered) {
        kept[event.sequence] = event
        removed.remove(event.sequence)
    }

    mutating func remove(_ sequence: Int64) {
        kept[sequence] = nil
        removed.insert(sequence)
    }
}
