import TributaryJSON

/// The rules for health reports in the settings of a server:
/// `"healthReports": {"sampleRate": 1, "minimumEvents": 60, "minimumSeconds": 600}`.
///
/// A server that says nothing gets none.
struct HealthSettings: Sendable, Equatable {
    private static let usualEvents = 60
    /// The shortest time between two regular reports, which is also the usual one, and the longest that a server can ask
    /// for, in seconds.
    private static let seconds = 600...7 * 86_400

    /// The share of clients that report, from 0 to 1.
    var sampleRate = 0.0
    /// How many events make a report worth its bytes; a client with fewer reports after a longer time.
    var minimumEvents = usualEvents
    /// Seconds between two regular reports at least.
    var minimumSeconds = seconds.lowerBound

    init(_ settings: Settings) {
        guard let reports = settings.document["healthReports"]?.objectValue else { return }
        sampleRate = min(max(0, reports["sampleRate"]?.doubleValue ?? 0), 1)
        minimumEvents = min(max(1, reports["minimumEvents"]?.intValue ?? Self.usualEvents), 10_000)
        minimumSeconds = min(
            max(Self.seconds.lowerBound, reports["minimumSeconds"]?.intValue ?? 0), Self.seconds.upperBound)
    }

    init() {}
}
