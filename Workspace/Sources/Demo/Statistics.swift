import TributaryJSON

/// The figures that a workspace has about a source.
struct Statistics: Sendable, Equatable {
    var stored = 0
    var duplicates = 0
    var rejected = 0
    /// Events that were dropped on the device, as far as traces have arrived.
    var tracedDrops = 0
    /// Milliseconds from the call to the database; nil when no event was traced.
    var latency: (median: Int, p99: Int)?

    init() {}

    /// Nil when the answer is not that of `/api/stats`.
    init?(_ json: JSON) {
        guard let stored = json["stored"]?.intValue, let duplicates = json["duplicates"]?.intValue,
            let rejected = json["rejected"]?.intValue, let tracedDrops = json["tracedDrops"]?.intValue
        else { return nil }
        (self.stored, self.duplicates) = (stored, duplicates)
        (self.rejected, self.tracedDrops) = (rejected, tracedDrops)
        if let median = json["latency"]?["medianMs"]?.intValue, let p99 = json["latency"]?["p99Ms"]?.intValue {
            latency = (median, p99)
        }
    }

    static func == (left: Statistics, right: Statistics) -> Bool {
        left.stored == right.stored && left.duplicates == right.duplicates && left.rejected == right.rejected
            && left.tracedDrops == right.tracedDrops && left.latency?.median == right.latency?.median
            && left.latency?.p99 == right.latency?.p99
    }

    /// Events of which the workspace knows the end.
    var accountedFor: Int { stored + tracedDrops }
}
