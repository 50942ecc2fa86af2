extension HealthTotals {
    /// The increase of the client's counters since they were `earlier`.
    /// - Parameter stuck: how often each destination got stuck since then.
    init(_ counters: EventCounters, since earlier: EventCounters, stuck: [String: Int], waiting: Int) {
        self.init()
        for (key, change) in Self.changes(counters.delivered, earlier.delivered) {
            count(key) { $0.delivered += change }
        }
        for (key, change) in Self.changes(counters.lostByDestination, earlier.lostByDestination) {
            count(key) { $0.lost += change }
        }
        for (drop, change) in Self.changes(counters.droppedByFilter, earlier.droppedByFilter) {
            if let key = drop.destination { count(key) { $0.filtered += change } }
        }
        for (drop, change) in Self.changes(counters.droppedByPlugin, earlier.droppedByPlugin) {
            if let key = drop.destination {
                count(key) { $0.dropped += change }
            } else {
                delivery.dropped += change
            }
        }
        for (key, change) in stuck { count(key) { $0.stuck += change } }
        delivery.tracked = counters.tracked - earlier.tracked
        delivery.uploaded = counters.uploaded - earlier.uploaded
        delivery.withoutSettings = counters.processedWithoutSettings - earlier.processedWithoutSettings
        delivery.deadLettered = counters.deadLettered - earlier.deadLettered
        delivery.lost = Self.changes(counters.lost, earlier.lost)
        delivery.waiting = waiting
        account.deleted = counters.deleted - earlier.deleted
        let key = ServerDestination.key
        account.notChosen = (counters.notEnabled[key] ?? 0) - (earlier.notEnabled[key] ?? 0)
    }

    /// The counters that have grown, by how much.
    private static func changes<Key: Hashable>(_ now: [Key: Int], _ before: [Key: Int]) -> [Key: Int] {
        var changes: [Key: Int] = [:]
        for (key, count) in now {
            let change = count - (before[key] ?? 0)
            if change > 0 { changes[key] = change }
        }
        return changes
    }
}
