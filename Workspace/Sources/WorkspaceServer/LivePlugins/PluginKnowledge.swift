import TributaryJSON
import WorkspaceCore

/// Finds out what a review of a bundle needs to know about its source.
struct PluginKnowledge: Sendable {
    let sources: SourceRegistry
    let store: Store
    let now: @Sendable () -> Int64
    private let named = NamedDestinations()

    /// The destinations, and the events of the last thirty days.
    func knowledge(of writeKey: String) async throws -> PluginTrialKnowledge {
        let source = try await sources.known(writeKey)
        var destinations = Set(source.integrations.map(\.key) + [Source.cloudName])
        destinations.formUnion(try await store.destinations(of: source.id).map(\.name))
        destinations.formUnion(try await namedInEvents(of: source, writeKey))
        return PluginTrialKnowledge(destinations: destinations.sorted(), events: try await events(of: source))
    }

    /// The versions of the app with devices, and what they allow to scripts.
    func apps(of source: Source) async throws -> ReportedApps {
        try await store.reportedApps(of: source.id, since: now() - Limits.reportedAppMilliseconds)
    }

    /// The destinations that the newest events name.
    private func namedInEvents(of source: Source, _ writeKey: String) async throws -> Set<String> {
        let known = named.through(source.id)
        var (through, names) = (known, Set<String>())
        try await store.forEachEvents(writeKey: writeKey, newest: Limits.trialKnownEvents) { rows in
            for row in rows {
                guard row.sequence > known else { return false }
                through = max(through, row.sequence)
                names.formUnion(EventDestinations.names(in: try JSON.parse(row.body)))
            }
            return true
        }
        return named.add(names, through: through, of: source.id)
    }

    /// How many events of each type and name came. Nothing when some names are not known, since then no name is certain to
    /// be missing.
    private func events(of source: Source) async throws -> [String: [String: Int]] {
        let last = Day(milliseconds: now())
        let counts = try await store.storage.nameCounts(
            of: source.id, on: last.advanced(by: 1 - Limits.catalogDays)...last, plan: source.plan)
        guard !counts.contains(where: { $0.name.label == .others }) else { return [:] }
        var events: [String: [String: Int]] = [:]
        for count in counts {
            events[count.name.type.rawValue, default: [:]][count.name.text ?? "", default: 0] += Int(count.count)
        }
        return events
    }
}
