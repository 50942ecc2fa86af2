import WorkspaceCore

/// The results of some attempts, to be written in one transaction.
struct ForwardingChanges: Sendable, Equatable {
    /// Every event up to this number is finished, or in the list of events that wait.
    var position: Int64 = 0
    /// Rows that are new or changed.
    var kept: [Int64: Undelivered] = [:]
    /// Rows that are not needed any more; they may not exist.
    var removed: Set<Int64> = []
    var delivered = 0
    var skipped = 0
    /// Those of the skipped events that filter rules dropped, by the names of the rules. It is not stored.
    var filtered: [String: Int] = [:]
    /// Events that consent held back for good, and events that are held until an operator sends them.
    var withheld = 0
    var held = 0
    /// The first and the last event that is held; 0 when none is.
    var heldFrom: Int64 = 0
    var heldThrough: Int64 = 0
    var lastDeliveredAt: Int64?
    /// Attempts that failed, and events that were given up, for the metrics.
    var failures = 0
    var dead = 0
    /// First attempts, while a roll-out of a function is open.
    var tries = FunctionTries()

    /// The counts for the half hours of a day.
    var strip: [(StripCounter.Kind, Int64, at: Int64)] {
        let sent = lastDeliveredAt.map { [(StripCounter.Kind.delivered, Int64(delivered), at: $0)] } ?? []
        return sent.filter { $0.1 > 0 } + kept.values.compactMap { event in event.deadAt.map { (.refused, 1, at: $0) } }
    }

    var isEmpty: Bool { self == ForwardingChanges(position: position) }

    /// The figures for the metrics.
    var outcomes: KeyValuePairs<String, Int> {
        [
            "delivered": delivered, "skipped": skipped, "withheld": withheld, "held": held, "failed": failures,
            "dead": dead,
        ]
    }

    /// Combines earlier and later changes; the position is that of the later ones.
    func followed(by later: ForwardingChanges) -> ForwardingChanges {
        var both = self
        for event in later.kept.values { both.keep(event) }
        for sequence in later.removed { both.remove(sequence) }
        both.position = later.position
        both.delivered += later.delivered
        both.skipped += later.skipped
        both.filtered.merge(later.filtered, uniquingKeysWith: +)
        both.withheld += later.withheld
        both.held += later.held
        if both.heldFrom == 0 { both.heldFrom = later.heldFrom }
        both.heldThrough = max(both.heldThrough, later.heldThrough)
        both.failures += later.failures
        both.dead += later.dead
        both.tries += later.tries
        both.lastDeliveredAt = later.lastDeliveredAt ?? lastDeliveredAt
        return both
    }

    /// Counts an event that the destination does not get.
    mutating func leaveOut(_ sequence: Int64, _ reason: LeftOut) {
        switch reason {
        case .notNamed, .sentByDevice, .unreadable, .gone: skipped += 1
        case .filtered(let rule):
            skipped += 1
            filtered[rule, default: 0] += 1
        case .refused, .unsaid: withheld += 1
        case .held:
            held += 1
            heldFrom = heldFrom == 0 ? sequence : min(heldFrom, sequence)
            heldThrough = max(heldThrough, sequence)
        }
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
