import TributaryJSON

/// The outcomes of one event or signal under two versions.
public struct GoldenComparison: Sendable, Hashable {
    /// The outcome under the version of today.
    public let before: GoldenOutcome
    /// The outcome under the new version.
    public let after: GoldenOutcome
    /// The outcome of a second run under the new version; nil when there was none. A difference between the two runs comes from
    /// the time or from chance.
    public let again: GoldenOutcome?

    /// - Parameters:
    ///   - before: the outcome under the version of today.
    ///   - after: the outcome under the new version.
    ///   - again: the outcome of a second run under the new version. Default: nil.
    public init(before: GoldenOutcome, after: GoldenOutcome, again: GoldenOutcome? = nil) {
        (self.before, self.after, self.again) = (before, after, again)
    }

    /// One event under both versions.
    struct Event {
        var before: JSON?
        var after: JSON?
        var again: JSON?
        var isSteady = true
    }

    /// The event itself, and the made events. Made events belong together when they have the same name and the same place among
    /// those of that name.
    var events: [Event] {
        let runs = [before, after, again ?? after]
        var events = [Self.event(runs.map(\.after))]
        let made = runs.map(Self.byName)
        for name in Set(made.flatMap(\.keys)).sorted() {
            let lists = made.map { $0[name] ?? [] }
            for place in 0..<(lists.map(\.count).max() ?? 0) {
                events.append(Self.event(lists.map { place < $0.count ? $0[place] : nil }))
            }
        }
        return events
    }

    private static func event(_ runs: [JSON?]) -> Event {
        Event(before: runs[0], after: runs[1], again: runs[2], isSteady: (runs[1] == nil) == (runs[2] == nil))
    }

    /// Members that the client or the run adds to an event that a script made.
    private static let added = ["messageId", "timestamp", "anonymousId", "context", "integrations", "_metadata"]

    private static func byName(_ outcome: GoldenOutcome) -> [GoldenEventName: [JSON]] {
        let events = outcome.made.map { event in
            var event = event.objectValue ?? [:]
            for member in added { event.removeValue(forKey: member) }
            return JSON.object(event)
        }
        return Dictionary(grouping: events) { GoldenEventName(of: $0) }
    }
}
