import AnalyticsCompat

extension CompatClient {
    /// How many events a plugin or middleware of that name dropped for all.
    func drops(by name: String) -> Int {
        analytics.counters.droppedByPlugin[EventCounters.Drop(by: name, destination: nil)] ?? 0
    }
}
