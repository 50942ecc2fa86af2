package import Tributary

/// The live plugins' part of health reports.
extension LivePlugins: HealthSource {
    /// Versions with counts of their own; the oldest go first.
    private static let counters = 8

    package func takeHealth() -> [HealthPart] {
        counters.map { .livePlugins($0.take()) } + (shadows?.takeHealth() ?? [])
    }

    /// The counter of a version.
    func counter(of version: String) -> VersionCounter {
        if let known = counters.first(where: { $0.version == version }) { return known }
        let counter = VersionCounter(version: version)
        counters.append(counter)
        if counters.count > Self.counters { counters.removeFirst() }
        return counter
    }

    /// Something happened to a version.
    func count(_ incident: VersionIncident, of version: String) {
        let counter = counter(of: version)
        counter.count(incident)
        reportFirstFault(counter)
    }

    /// The first fault of a version is reported before its time.
    func reportFirstFault(_ counter: VersionCounter) {
        if counter.takeFirstFault() { analytics?.reportHealthSoon() }
    }
}
