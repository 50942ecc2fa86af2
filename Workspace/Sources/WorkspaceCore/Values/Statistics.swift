package import TributaryJSON

/// The figures of a workspace: events, problems and delays.
package struct Statistics: Sendable, Equatable {
    package var stored: Int64 = 0
    package var duplicates: Int64 = 0
    package var rejected: Int64 = 0
    /// Events that were dropped on a device, counted from traces.
    var tracedDrops: Int64 = 0
    package var byType: [String: Int64] = [:]
    /// Milliseconds from the call on the device to the database, of the newest traced events, in ascending order.
    var latencies: [Int64] = []

    package var json: JSON {
        [
            "stored": .number(stored), "duplicates": .number(duplicates), "rejected": .number(rejected),
            "tracedDrops": .number(tracedDrops), "byType": .object(JSONObject(byType.mapValues { .number($0) })),
            "latency": ["count": .number(latencies.count), "medianMs": quantile(0.5), "p99Ms": quantile(0.99)],
        ]
    }

    /// The quantile by nearest rank: the smallest value that at least this share of the values does not exceed.
    private func quantile(_ share: Double) -> JSON {
        guard !latencies.isEmpty else { return .null }
        let rank = Int((share * Double(latencies.count)).rounded(.up))
        return .number(latencies[min(max(rank, 1), latencies.count) - 1])
    }
}
