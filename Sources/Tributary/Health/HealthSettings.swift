import TributaryJSON

/// What the settings of a server say about health reports: `"healthReports": {"sampleRate": 1, "minimumEvents": 60}`.
///
/// A server that says nothing gets none.
struct HealthSettings: Sendable, Equatable {
    private static let usualEvents = 60

    /// The share of clients that report, from 0 to 1.
    var sampleRate = 0.0
    /// How many events make a report worth its bytes; a client with fewer reports after a longer time.
    var minimumEvents = usualEvents

    init(_ settings: Settings) {
        guard let reports = settings.document["healthReports"]?.objectValue else { return }
        sampleRate = min(max(0, reports["sampleRate"]?.doubleValue ?? 0), 1)
        minimumEvents = min(max(1, reports["minimumEvents"]?.intValue ?? Self.usualEvents), 10_000)
    }

    init() {}
}
